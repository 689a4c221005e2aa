import styled from '@emotion/styled';
import { useState } from 'react';
import { mcpSnippets } from '../../../lib/mcp/clients';
import {
  clientName,
  cursorLink,
  KEY_PLACEHOLDER,
  mcpUrl,
  serverJson,
  vsCodeLink,
} from '../../../lib/mcp/install';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { LinkButton } from '../../../ui/controls/Button';
import { DownloadButton } from '../../../ui/controls/DownloadButton';
import { saveFile } from '../../../ui/controls/saveFile';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { space } from '../../../ui/theme';
import { Heading, Text } from './parts';
import type { ConnectedServer } from './useMcpServer';

const Section = styled('section')({ display: 'grid', gap: space(3), minWidth: 0, maxWidth: 720 });
const Picker = styled('div')({ width: 260, maxWidth: '100%' });
const Links = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  /** Name of the CVM. */
  name: string;
  /** Address of the server’s port. */
  base: string;
  path: string;
  server: ConnectedServer | undefined;
}

/** Instructions for connecting Claude Code, Claude Desktop, Cursor and VS Code, and the MCP registry entry. */
export function ClientSetup({ name, base, path, server }: Props) {
  const installed = { name: clientName(name), url: mcpUrl(base, path) };
  const snippets = mcpSnippets({ ...installed, key: KEY_PLACEHOLDER });
  const [chosen, setChosen] = useState(0);
  const snippet = snippets[chosen];
  const save = () => {
    const { title = null, instructions: description = null, version = '' } = server ?? {};
    const text = serverJson({ ...installed, title: title ?? server?.name ?? null, description, version });
    saveFile('server.json', text, 'application/json');
  };
  return (
    <Section aria-label="Connect a client">
      <Heading>Connect a client</Heading>
      <Text>Replace {KEY_PLACEHOLDER} with the server’s key. VS Code prompts for it.</Text>
      <Picker>
        <SelectInput
          label="Client"
          value={String(chosen)}
          choices={snippets.map(({ client }, index) => ({ value: String(index), label: client }))}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      </Picker>
      {snippet && <Text>{snippet.text}</Text>}
      {snippet && <CodeBlock code={snippet.code} title={snippet.client} />}
      <Links>
        <LinkButton href={cursorLink(installed)}>Add to Cursor</LinkButton>
        <LinkButton href={vsCodeLink(installed)}>Add to VS Code</LinkButton>
        <DownloadButton pending={false} onClick={save}>
          Download server.json
        </DownloadButton>
      </Links>
    </Section>
  );
}
