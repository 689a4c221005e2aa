import type { AdminDrain } from '../../../generated/api/types.gen';

/** How many CVMs of a drain are in which state: every `…_cvms` of the API document. */
export type DrainFigures = Pick<AdminDrain, Extract<keyof AdminDrain, `${string}_cvms`>>;
