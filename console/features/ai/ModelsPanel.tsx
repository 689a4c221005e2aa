import type { AiModel } from '../../../generated/api/types.gen';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { dollars } from '../../ui/data/Cost';
import { Panel } from '../../ui/layout/Panel';

const columns: Column<AiModel>[] = [
  { id: 'id', header: 'Model', cell: ({ id }) => <code>{id}</code> },
  {
    id: 'description',
    header: 'Description',
    priority: 2,
    phone: 'meta',
    cell: ({ description }) => description,
  },
  {
    id: 'context',
    header: 'Context',
    width: 120,
    phone: 'meta',
    labelled: true,
    cell: ({ context_length }) => `${context_length.toLocaleString('en-US')} tokens`,
  },
  {
    id: 'price',
    header: 'Input / output per million tokens',
    width: 240,
    phone: 'hide',
    cell: ({ price_per_million: { input, output } }) => `${dollars(input)} / ${dollars(output)}`,
  },
];

/** What the gateway serves. */
export function ModelsPanel({ models }: { models: readonly AiModel[] }) {
  return (
    <Panel title="Models">
      <DataTable
        id="ai-models"
        label={models.length === 1 ? 'model' : 'models'}
        columns={columns}
        rows={models}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        bare
        empty="The gateway serves no model."
      />
    </Panel>
  );
}
