/**
 * Key services besides its own whose CVMs a host may run: it passes their addresses to the guest (migration
 * 0081_on_chain_apps).
 */
export interface TeepodKmsTable {
  teepod_id: number;
  kms_id: number;
}
