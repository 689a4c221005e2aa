import type { Agent } from '../../lib/agent/compose';
import { cvmLink, type CvmAddress } from '../../lib/paths';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { type } from '../../ui/theme';

type Variable = Agent['variables'][number];

const columns: Column<Variable>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <span style={type.mono}>{name}</span> },
  {
    id: 'value',
    header: 'Value',
    width: 320,
    phone: 'end',
    cell: ({ secret }) => (secret ? 'Sealed: only the CVM can read it' : 'In the compose file'),
  },
];

/** Keys and settings that the agent gets beside its character; changed where all secrets are. */
export function AgentVariables({ agent, address }: { agent: Agent; address: CvmAddress }) {
  return (
    <Panel
      title="Environment"
      subtitle="Keys of model providers and clients reach the agent as variables."
      actions={<TextLink href={cvmLink(address, 'compose')}>Change them</TextLink>}
    >
      <DataTable
        id="agent-variables"
        label={agent.variables.length === 1 ? 'variable' : 'variables'}
        columns={columns}
        rows={agent.variables}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        empty={
          <EmptyState>
            The service gets no variables. Model providers usually need a key, such as OPENAI_API_KEY.
          </EmptyState>
        }
      />
    </Panel>
  );
}
