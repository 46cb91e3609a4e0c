/** Maps each path of a JSON value to its type. */
export type Shape = ReadonlyMap<string, string>;

/**
 * Returns the shape of a value. Lists use their first element, filters one entry per kind. Integers and decimals are one
 * type, since JSON has one.
 */
export function shapeOf(value: unknown, path = ''): Map<string, string> {
  if (Array.isArray(value)) {
    const shape = new Map([[path, 'list']]);
    if (value.length === 0) return shape;
    for (const [at, entry] of entriesOf(value, path)) for (const found of shapeOf(entry, at)) shape.set(...found);
    return shape;
  }
  if (typeof value === 'object' && value !== null) {
    const shape = new Map([[path, 'object']]);
    for (const [name, field] of Object.entries(value)) {
      for (const found of shapeOf(field, path === '' ? name : `${path}.${name}`)) shape.set(...found);
    }
    return shape;
  }
  return new Map([[path, typeName(value)]]);
}

/** Returns those elements of a list, with their paths, whose shapes describe the list. */
function entriesOf(list: readonly unknown[], path: string): (readonly [string, unknown])[] {
  if (list.every(isFilter)) return list.map((entry) => [`${path}[${entry.filterType}]`, entry]);
  // A candle is a list of different types, unlike a list of names.
  const isRow = !Array.isArray(list[0]) && new Set(list.map((entry) => typeof entry)).size > 1;
  return isRow ? list.map((entry, i) => [`${path}[${i}]`, entry]) : [[`${path}[]`, list[0]]];
}

function isFilter(entry: unknown): entry is { filterType: unknown } {
  return typeof entry === 'object' && entry !== null && 'filterType' in entry;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/**
 * Lists the differences from the exchange's response: `- path` is missing, `+ path` is extra, `~ path a/b` has another type.
 */
export function shapeDifferences(ours: Shape, theirs: Shape): string[] {
  const empty = (shape: Shape, path: string) => shape.get(path) === 'null' || shape.get(path) === 'list';
  const under = (shape: Shape, path: string): boolean => {
    // The items of an empty list and the type of a null are unknown.
    for (let at = path; at !== ''; ) {
      at = at.replace(/(?:\.[^.[\]]+|\[[^[\]]*\]|^[^.[\]]+)$/, '');
      if (shape.has(at) && empty(shape, at) && ![...shape.keys()].some((key) => key.startsWith(`${at}[`))) return true;
    }
    return false;
  };
  const differences: string[] = [];
  for (const [path, type] of theirs) {
    const own = ours.get(path);
    if (own === undefined) {
      if (!under(ours, path)) differences.push(`- ${path}`);
    } else if (own !== type && own !== 'null' && type !== 'null') differences.push(`~ ${path} ${own}/${type}`);
  }
  for (const path of ours.keys()) if (!theirs.has(path) && !under(theirs, path)) differences.push(`+ ${path}`);
  return differences.sort();
}
