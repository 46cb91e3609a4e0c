/**
 * What backtest-kit uses of di-singleton: a class of which `new` always gives the same object.
 *
 * @template {new (...args: never[]) => object} T
 * @param {T} Class
 * @returns {T}
 */
export function singleton(Class) {
  /** @type {object | undefined} */
  let instance;
  return new Proxy(Class, {
    construct(target, args, newTarget) {
      instance ??= Reflect.construct(target, args, newTarget);
      return instance;
    },
  });
}
