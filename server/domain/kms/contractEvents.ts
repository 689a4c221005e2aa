/** Kinds of events that are indexed. Registrations aren't: anyone can cause any number of them. */
export type ContractEventKind =
  | 'ComposeHashAdded'
  | 'ComposeHashRemoved'
  | 'DeviceAdded'
  | 'DeviceRemoved'
  | 'AllowAnyDeviceSet'
  | 'RequireTcbUpToDateSet'
  | 'UpgradesDisabled'
  | 'OsImageHashAdded'
  | 'OsImageHashRemoved'
  | 'KmsDeviceAdded'
  | 'KmsDeviceRemoved'
  | 'KmsAggregatedMrAdded'
  | 'KmsAggregatedMrRemoved'
  | 'KmsInfoSet'
  | 'GatewayAppIdSet'
  | 'AppImplementationSet'
  | 'OwnershipTransferStarted'
  | 'OwnershipTransferred'
  | 'Upgraded';

/** One change of a contract, as its chain recorded it. Addresses and hashes have 0x and are lowercase. */
export interface ContractEvent {
  block_number: number;
  log_index: number;
  block_hash: string;
  tx_hash: string;
  kind: ContractEventKind;
  /** The value added, removed or set; empty if the event has only its kind. */
  value: string;
  /** Account that sent the transaction. */
  sender: string;
  at: Date;
}

/** A block that was read; another hash at this number later means that the chain was reorganized. */
export interface BlockMark {
  number: number;
  hash: string;
}
