import { sql } from 'kysely';

/**
 * How many CVMs teepod `t` can hold: what administrators allow, or the host's own limit where that is lower.
 * A host refuses the CVM after its last, unlike vCPU and memory, which administrators may overcommit.
 */
export const cvmSlots = sql<number>`least(t.max_cvms, nullif(t.host_cvms, 0))`;
