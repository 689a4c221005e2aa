import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { callMcpTool, inspectMcpServer, readMcpUsage } from '../../../../generated/api/sdk.gen';
import type { McpServerDescription, McpUsage } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import type { CallTool, McpPlace } from './types';

export interface ConnectedServer extends McpServerDescription {
  /** When the connection was made; its forms start empty then. */
  at: number;
}

const bodyOf = ({ port, path, key }: McpPlace) => ({ port, path, ...(key === '' ? {} : { key }) });

interface Where {
  teamSlug: string;
  vmUuid: string;
  /** Whether the server reports key usage. */
  countsUse: boolean;
}

/** Connects to a CVM's MCP server, calls its tools and reads its key usage. */
export function useMcpServer({ teamSlug, vmUuid, countsUse }: Where) {
  const [read, setRead] = useState<{ place: McpPlace; usage: McpUsage } | null>(null);
  const usage = useMutation({
    mutationFn: async ({ port, key }: McpPlace) => {
      const { data } = await readMcpUsage({
        ...inTeam(teamSlug),
        path: { cvm_id: vmUuid },
        body: { port, key },
        throwOnError: true,
      });
      return data;
    },
    onSuccess: (data, place) => setRead({ place, usage: data }),
    gcTime: 0,
  });
  const counts = ({ key }: McpPlace) => countsUse && key !== '';
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
    onSuccess: ({ place }) => {
      if (counts(place)) usage.mutate(place);
    },
    // The key isn't kept after the page is left.
    gcTime: 0,
  });
  // Calls go to the displayed server, regardless of later edits to the form.
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
    /** Null if the server doesn't count usage. */
    usage:
      place && counts(place)
        ? {
            // Only usage of the displayed server.
            data: read?.place === place ? read.usage : undefined,
            isPending: usage.isPending,
            problem: problemOf(usage.error, 'Couldn’t load key usage'),
            refresh: () => usage.mutate(place),
          }
        : null,
  };
}
