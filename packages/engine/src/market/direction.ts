/** +1 long, −1 short. @see docs/entries.md#direction */
export type Direction = 1 | -1;
