import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { VmPort } from './givenUpVms';

/**
 * VMs of a CVM that was lost and given up. They are never removed, and never used again without an
 * administrator, even if their host lists them years later (migration 0035_lost_cvms).
 */
export interface GivenUpVmsTable {
  id: GeneratedAlways<number>;
  cvm_id: number;
  teepod_id: number;
  host_vm_id: string;
  given_up_by: number | null;
  given_up_at: Generated<Date>;
  /** When its host listed it without host ports and GPUs (migration 0100_given_up_holds). */
  released_at: Date | null;
  /** The host ports it had before, as reported by its host; restored if it is chosen again. */
  released_ports: JSONColumnType<VmPort[], string | undefined, string>;
  /** When an administrator chose it again for its CVM (migration 0136_given_up_ports). It is then no longer given up. */
  taken_back_at: Date | null;
}
