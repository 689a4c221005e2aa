import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { callMcpTool, inspectMcpServer } from '../../../../generated/api/sdk.gen';
import type { McpServerDescription } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import type { CallTool, McpPlace } from './types';

export interface ConnectedServer extends McpServerDescription {
  /** When it was connected to: its forms start empty then. */
  at: number;
}

const bodyOf = ({ port, path, key }: McpPlace) => ({ port, path, ...(key === '' ? {} : { key }) });

/** Connects to the MCP server of a CVM and calls its tools. */
export function useMcpServer({ teamSlug, vmUuid }: { teamSlug: string; vmUuid: string }) {
  const connection = useMutation({
    mutationFn: async (place: McpPlace) => {
      const { data } = await inspectMcpServer({
        ...inTeam(teamSlug),
        path: { cvm_id: vmUuid },
        body: bodyOf(place),
        throwOnError: true,
      });
      return { place, server: { ...data, at: Date.now() } satisfies ConnectedServer };
    },
    // The key isn't kept once the page is left.
    gcTime: 0,
  });
  // Calls go to the server that is shown, whatever has been entered since.
  const place = connection.data?.place;
  const call: CallTool = useCallback(
    async (tool, args) => {
      if (!place) throw new Error('Connect to the server first.');
      const { data } = await callMcpTool({
        ...inTeam(teamSlug),
        path: { cvm_id: vmUuid },
        body: { ...bodyOf(place), tool, arguments: args },
        throwOnError: true,
      });
      return data;
    },
    [place, teamSlug, vmUuid],
  );
  return {
    connect: connection.mutate,
    isConnecting: connection.isPending,
    problem: problemOf(connection.error, 'Couldn’t connect to the MCP server'),
    server: connection.data?.server,
    call,
  };
}
