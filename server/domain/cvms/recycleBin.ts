/** How long a deleted CVM can be restored. */
const RECYCLE_HOURS = 24;

export const purgeTime = (now = new Date()) => new Date(now.getTime() + RECYCLE_HOURS * 3_600_000);

/** Whether a host still has parts of it: in the bin, or on the way there. */
export const isRecycled = (cvm: { deleted_at: Date | null; purge_at: Date | null }) =>
  cvm.deleted_at !== null && cvm.purge_at !== null;
