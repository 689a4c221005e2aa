import { sql } from 'kysely';

/**
 * CVM slots of teepod `t`: the administrators' limit, or the host's own where that is lower. A host refuses the
 * CVM after its last, unlike vCPU and memory, which administrators may overcommit.
 */
export const cvmSlots = sql<number>`least(t.max_cvms, nullif(t.host_cvms, 0))`;
