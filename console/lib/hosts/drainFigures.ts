import type { AdminDrain } from '../../../generated/api/types.gen';

/** The number of CVMs in each state of a drain: every `…_cvms` property in the API document. */
export type DrainFigures = Pick<AdminDrain, Extract<keyof AdminDrain, `${string}_cvms`>>;
