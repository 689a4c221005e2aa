import styled from '@emotion/styled';
import { useState } from 'react';
import { useSession } from '../../../api/session';
import { mcpSnippets } from '../../../lib/mcp/clients';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(3), maxWidth: 720, minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted });
const Picker = styled('div')({ width: 260, maxWidth: '100%' });

/** How to give an AI assistant this team's apps as tools. */
export function AssistantPanel() {
  const { environment } = useSession();
  const snippets = mcpSnippets({
    name: 'teehouse',
    url: `${environment.public_url.replace(/\/$/, '')}/mcp`,
    key: 'YOUR_TOKEN',
  });
  const [chosen, setChosen] = useState(0);
  const snippet = snippets[chosen];
  return (
    <Panel title="AI assistants" subtitle="This server speaks the Model Context Protocol (MCP).">
      <Stack>
        <Text>
          With a token, an assistant can list, deploy, restart and delete this team’s CVMs, read their logs
          and cost, and verify them, within the token’s scopes. Each call is in the audit log.
        </Text>
        <Picker>
          <SelectInput
            label="Assistant"
            value={String(chosen)}
            choices={snippets.map(({ client }, index) => ({ value: String(index), label: client }))}
            onChange={(event) => setChosen(Number(event.target.value))}
          />
        </Picker>
        {snippet && <Text>{snippet.text}</Text>}
        {snippet && <CodeBlock code={snippet.code} title={snippet.client} />}
      </Stack>
    </Panel>
  );
}
