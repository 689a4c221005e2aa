import { parseAbi } from 'viem';

/** Read functions of dstack's KMS contract. Functions that older contracts lack are read as absent. */
export const kmsAbi = parseAbi([
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function appImplementation() view returns (address)',
  'function gatewayAppId() view returns (string)',
  'function kmsInfo() view returns (bytes k256Pubkey, bytes caPubkey, bytes quote, bytes eventlog)',
  'function allowedOsImages(bytes32) view returns (bool)',
  'function kmsAllowedAggregatedMrs(bytes32) view returns (bool)',
  'function kmsAllowedDeviceIds(bytes32) view returns (bool)',
  'function isAppAllowed((address appId, bytes32 composeHash, address instanceId, bytes32 deviceId, bytes32 mrAggregated, bytes32 mrSystem, bytes32 osImageHash, string tcbStatus, string[] advisoryIds) bootInfo) view returns (bool isAllowed, string reason)',
  'function isKmsAllowed((address appId, bytes32 composeHash, address instanceId, bytes32 deviceId, bytes32 mrAggregated, bytes32 mrSystem, bytes32 osImageHash, string tcbStatus, string[] advisoryIds) bootInfo) view returns (bool isAllowed, string reason)',
  'function registeredApps(address) view returns (bool)',
  'event OsImageHashAdded(bytes32 osImageHash)',
  'event KmsAggregatedMrAdded(bytes32 mrAggregated)',
  'event KmsDeviceAdded(bytes32 deviceId)',
  'event AppRegistered(address appId)',
  'event AppDeployedViaFactory(address indexed appId, address indexed deployer)',
]);

/** Read functions of an app's contract. */
export const appAbi = parseAbi([
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function allowAnyDevice() view returns (bool)',
  'function requireTcbUpToDate() view returns (bool)',
  'function version() view returns (uint256)',
  'function allowedComposeHashes(bytes32) view returns (bool)',
  'function allowedDeviceIds(bytes32) view returns (bool)',
]);
