import { adminAiKeys, adminAiUsage } from '../../../db/ai/adminAiKeys';
import { adminAiGateways } from '../../../db/ai/aiGateways';
import { adminAiModels } from '../../../db/ai/aiModels';
import { adminAiUpstreams } from '../../../db/ai/aiUpstreams';
import {
  adminAiGatewayOut,
  adminAiKeyOut,
  adminAiModelOut,
  adminAiUpstreamOut,
  adminAiUsageOut,
} from '../../../domain/ai/adminAiResponse';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;
const updated = (row: { updated_at: Date }) => row.updated_at;

export const aiUpstreams = resource({
  name: 'ai-upstreams',
  singular: 'AI upstream',
  source: adminAiUpstreams,
  out: adminAiUpstreamOut,
  version: updated,
});

export const aiModels = resource({
  name: 'ai-models',
  singular: 'AI model',
  source: adminAiModels,
  out: adminAiModelOut,
  version: updated,
});

export const aiGateways = resource({
  name: 'ai-gateways',
  singular: 'AI gateway',
  source: adminAiGateways(''),
  // The Compose file names this server.
  sourceFor: ({ config }) => adminAiGateways(config.publicUrl),
  out: adminAiGatewayOut,
  version: updated,
});

export const aiKeys = resource({
  name: 'ai-keys',
  singular: 'AI key',
  source: adminAiKeys,
  out: adminAiKeyOut,
  // Teams change them; administrators only read.
  version: (row) => row.revoked_at ?? row.created_at,
});

export const aiUsage = resource({
  name: 'ai-usage',
  singular: 'AI usage of a team',
  source: adminAiUsage,
  out: adminAiUsageOut,
  version: (row) => row.last_request_at,
});
