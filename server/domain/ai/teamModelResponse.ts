import type { TeamAiModel } from '../../../generated/api/types.gen';
import { iso, short } from '../core/references';
import { defineVersion } from '../core/version';

interface EditedTeamModel {
  name: string;
  description: string;
  context_length: number;
  endpoints: TeamAiModel['endpoints'];
  input_modalities: TeamAiModel['input_modalities'];
  output_modalities: TeamAiModel['output_modalities'];
}

export const teamModelVersion = defineVersion<EditedTeamModel>('m1', [
  { field: 'name', value: ({ name }) => name },
  { field: 'description', value: ({ description }) => description },
  { field: 'context_length', value: ({ context_length }) => context_length },
  { field: 'endpoints', value: ({ endpoints }) => endpoints },
  { field: 'input_modalities', value: ({ input_modalities }) => input_modalities },
  { field: 'output_modalities', value: ({ output_modalities }) => output_modalities },
]);

interface TeamModelFields extends EditedTeamModel {
  public_id: string;
  model: string;
  url: string;
  app_id: string;
  app_name: string;
  state: 'active' | 'disabled' | 'team';
  upstream_state: 'active' | 'disabled';
  archived_at: Date | null;
  health: TeamAiModel['health'];
  last_error: string | null;
  checked_at: Date | null;
  created_at: Date;
}

/** Reason for not offering a model, the lasting one first. */
function stateOf({ state, upstream_state, archived_at }: TeamModelFields): TeamAiModel['state'] {
  if (state === 'disabled' || upstream_state === 'disabled') return 'disabled';
  return archived_at === null ? 'offered' : 'no_cvm';
}

export function teamModelOut(row: TeamModelFields): TeamAiModel {
  const shown = {
    id: row.public_id,
    model: row.model,
    name: row.name,
    description: row.description,
    context_length: row.context_length,
    endpoints: row.endpoints,
    input_modalities: row.input_modalities,
    output_modalities: row.output_modalities,
    base_url: row.url,
    app_id: row.app_id,
    app_name: row.app_name,
    state: stateOf(row),
    health: row.health,
    last_error: short(row.last_error, 2000),
    checked_at: iso(row.checked_at),
    created_at: row.created_at.toISOString(),
  };
  return { ...shown, etag: teamModelVersion.etag(row, shown) };
}
