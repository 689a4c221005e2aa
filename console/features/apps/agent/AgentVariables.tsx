import type { Agent } from '../../../lib/agent/compose';
import { cvmLink, type CvmAddress } from '../../../lib/paths';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { type } from '../../../ui/theme';

type Variable = Agent['variables'][number];

const columns: Column<Variable>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span style={type.mono}>{name}</span> },
  {
    id: 'value',
    header: 'Value',
    width: 320,
    phone: 'end',
    cell: ({ secret }) => (secret ? 'Encrypted secret' : 'In the Compose file'),
  },
];

/** The agent's keys and settings. They are edited with the other secrets. */
export function AgentVariables({ agent, address }: { agent: Agent; address: CvmAddress }) {
  return (
    <Panel
      title="Environment"
      subtitle="The agent reads model provider and client keys from these variables."
      actions={<TextLink href={cvmLink(address, 'compose')}>Edit variables</TextLink>}
    >
      <DataTable
        id="agent-variables"
        noun={['variable', 'variables']}
        columns={columns}
        rows={agent.variables}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        empty={
          <EmptyState>No variables. Model providers usually need a key, such as OPENAI_API_KEY.</EmptyState>
        }
      />
    </Panel>
  );
}
