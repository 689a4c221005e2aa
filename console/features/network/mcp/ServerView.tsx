import styled from '@emotion/styled';
import { KeyValue } from '../../../ui/data/KeyValue';
import { Notice } from '../../../ui/feedback/Notice';
import { color, space, type } from '../../../ui/theme';
import { Heading, Items, Mono, Text } from './parts';
import { ToolCard } from './ToolCard';
import type { CallTool } from './types';
import type { ConnectedServer } from './useMcpServer';

const Stack = styled('div')({ display: 'grid', gap: space(5), minWidth: 0 });
const Tools = styled('ul')({ display: 'grid', gap: space(2), minWidth: 0 });
const Instructions = styled('p')({
  ...type.body,
  color: color.text,
  maxWidth: '72ch',
  whiteSpace: 'pre-line',
  overflowWrap: 'anywhere',
});

/** The connected server's own description: its tools, resources and prompts. */
export function ServerView({ server, cvm, call }: { server: ConnectedServer; cvm: string; call: CallTool }) {
  const { name, title, version, protocol_version, instructions, tools, resources, prompts } = server;
  return (
    <Stack role="group" aria-label="Connected server">
      <KeyValue
        facts={[
          { label: 'Server', value: title ?? name },
          { label: 'Version', value: version },
          { label: 'Protocol', value: protocol_version },
        ]}
      />
      {instructions !== null && <Instructions>{instructions}</Instructions>}
      {server.incomplete && (
        <Notice tone="attention" title="Not everything is listed.">
          The server offers more than this page shows.
        </Notice>
      )}
      <section aria-label="Tools">
        <Heading>Tools</Heading>
        {tools.length === 0 ? (
          <Text>The server has no tools.</Text>
        ) : (
          <Tools>
            {tools.map((tool, index) => (
              // Two tools may have the same name.
              <ToolCard key={`${index} ${tool.name}`} tool={tool} cvm={cvm} call={call} />
            ))}
          </Tools>
        )}
      </section>
      {resources.length > 0 && (
        <section aria-label="Resources">
          <Heading>Resources</Heading>
          <Items>
            {resources.map(({ uri, name: label, description, mime_type }, index) => (
              <li key={`${index} ${uri}`}>
                {label} <Mono>{uri}</Mono> <Text as="span">{mime_type}</Text>
                {description !== null && <Text>{description}</Text>}
              </li>
            ))}
          </Items>
        </section>
      )}
      {prompts.length > 0 && (
        <section aria-label="Prompts">
          <Heading>Prompts</Heading>
          <Items>
            {prompts.map(({ name: label, description, arguments: names }, index) => (
              <li key={`${index} ${label}`}>
                {label} <Mono>{names.join(', ')}</Mono>
                {description !== null && <Text>{description}</Text>}
              </li>
            ))}
          </Items>
        </section>
      )}
    </Stack>
  );
}
