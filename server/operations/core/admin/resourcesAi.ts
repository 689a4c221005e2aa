import { adminAiGateways } from '../../../db/ai/aiGateways';
import { adminAiModels } from '../../../db/ai/aiModels';
import { adminAiUpstreams } from '../../../db/ai/aiUpstreams';
import { adminAiGatewayOut, adminAiModelOut, adminAiUpstreamOut } from '../../../domain/ai/adminAiResponse';
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
