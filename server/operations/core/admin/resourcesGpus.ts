import { adminGpuEvents, adminGpus } from '../../../db/hosts/adminGpus';
import { adminKms, adminKmsContracts } from '../../../db/kms/adminKms';
import { adminGpuEventOut, adminGpuOut } from '../../../domain/hosts/adminGpuResponse';
import { adminKmsContractOut, adminKmsOut } from '../../../domain/kms/adminKmsResponse';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;
const updated = (row: { updated_at: Date }) => row.updated_at;

export const gpus = resource({
  name: 'gpus',
  singular: 'GPU',
  source: adminGpus,
  out: adminGpuOut,
  version: updated,
});

export const gpuEvents = resource({
  name: 'gpu-events',
  singular: 'event of a GPU',
  source: adminGpuEvents,
  out: adminGpuEventOut,
  version: (row) => row.at,
});

export const kms = resource({
  name: 'kms',
  singular: 'key management service',
  source: adminKms,
  out: adminKmsOut,
  version: updated,
});

export const kmsContracts = resource({
  name: 'kms-contracts',
  singular: 'KMS contract',
  source: adminKmsContracts,
  out: adminKmsContractOut,
  version: updated,
});
