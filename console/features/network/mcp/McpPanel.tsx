import styled from '@emotion/styled';
import { useState } from 'react';
import { DEFAULT_PATH, mcpPorts } from '../../../lib/mcp/install';
import { countsKeyUse, takesFurtherKeys } from '../../../lib/mcp/keys';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { ClientSetup } from './ClientSetup';
import { ConnectForm } from './ConnectForm';
import { KeysSection } from './KeysSection';
import { ServerView } from './ServerView';
import type { McpPanelProps, McpPlace } from './types';
import { useMcpServer } from './useMcpServer';

const Stack = styled('div')({ display: 'grid', gap: space(6), minWidth: 0 });

/** The app's MCP server: its tools, calls to them, key usage, and client setup. */
export function McpPanel({
  name,
  status,
  ports,
  compose,
  secretsHref,
  refused,
  autoFocus,
  ...cvm
}: McpPanelProps) {
  const choices = mcpPorts(ports);
  const [entered, setPlace] = useState<McpPlace>({
    port: choices[0]?.port ?? 0,
    path: DEFAULT_PATH,
    key: '',
  });
  const { connect, isConnecting, problem, server, call, usage } = useMcpServer({
    ...cvm,
    countsUse: countsKeyUse(compose),
  });
  const chosen = choices.find(({ port }) => port === entered.port) ?? choices[0];
  if (!chosen)
    return (
      <Panel title="MCP server">
        <EmptyState>Publish the server’s port in the Compose file to reach it.</EmptyState>
      </Panel>
    );
  const place = { ...entered, port: chosen.port };
  return (
    <Panel
      title="MCP server"
      subtitle="Requests go through this server and the gateway to the CVM. The key is passed on and not stored."
    >
      <Stack>
        <ConnectForm
          ports={choices}
          place={place}
          pending={isConnecting}
          problem={problem}
          blockedReason={status === 'running' ? refused : 'Available while running.'}
          autoFocus={autoFocus}
          onChange={setPlace}
          onConnect={() => connect(place)}
        />
        {server && <ServerView key={server.at} server={server} cvm={name} call={call} />}
        {usage && (
          <KeysSection
            usage={usage.data}
            pending={usage.isPending}
            problem={usage.problem}
            takesKeys={takesFurtherKeys(compose)}
            secretsHref={secretsHref}
            onRefresh={usage.refresh}
          />
        )}
        <ClientSetup name={name} base={chosen.url} path={place.path} server={server} />
      </Stack>
    </Panel>
  );
}
