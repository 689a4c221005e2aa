import { createHash } from 'node:crypto';
import { findCvm } from '../../db/cvms/cvmLookup';
import { Problem } from '../../domain/core/problem';
import { AgentError, type AgentErrorKind } from '../../drivers/agents';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { checkHeaderKey } from '../core/headerKey';
import { InProgress } from '../core/inProgress';
import type { Handler } from '../types';
import { connectTo, ownUrl } from './reachability';

const answers = new InProgress(
  { team: 4, all: 64 },
  'Too many agent requests are in progress. Try again in 10 s.',
);

export const sendAgentMessage: Handler<'sendAgentMessage'> = async ({ path, body, ctx }) => {
  const team = teamOf(ctx);
  const row = await findCvm(ctx.db, team.id, path.cvm_id);
  if (row.cvm.status !== 'running')
    throw new Problem('WRONG_STATE', {
      message: `The CVM is ${row.cvm.status}, so its agent can't answer.`,
      suggestions: ['Start the CVM first.'],
    });
  if (body.api_key !== undefined) checkHeaderKey(body.api_key, 'api_key');
  await loadFacts(ctx, row.revision);
  const url = ownUrl(row, body.port);
  const leave = answers.enter(team.id);
  try {
    const { session_id, text } = await ctx.agents.say(
      { ...connectTo(row, url), api_key: body.api_key ?? null },
      {
        text: body.message,
        session_id: body.session_id ?? null,
        author_id: authorId(`${team.id} ${ctx.caller.user?.id ?? ''}`),
        signal: ctx.signal,
      },
    );
    return { status: 200, body: { session_id, reply: text } };
  } catch (error) {
    if (error instanceof AgentError) throw problemOf(error, body.api_key !== undefined);
    throw error;
  } finally {
    leave();
  }
};

/** A user's conversations share one author ID, by which agents remember users. */
function authorId(of: string): string {
  const hex = createHash('sha256').update(`agent-author ${of}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function problemOf(error: AgentError, had_key: boolean): Problem {
  const { kind, message } = error;
  if (kind === 'key') {
    const text = had_key
      ? "The agent's server rejects this key."
      : "The agent's server requires a key: the value of its variable ELIZA_SERVER_AUTH_TOKEN.";
    return new Problem('VALIDATION_FAILED', {
      message: text,
      details: [{ field: 'api_key', message: text }],
      cause: error,
    });
  }
  return new Problem('UPSTREAM_UNREACHABLE', {
    message,
    suggestions: [WHAT_TO_DO[kind]],
    is_external: true,
  });
}

const WHAT_TO_DO: Readonly<Record<Exclude<AgentErrorKind, 'key'>, string>> = {
  unreachable:
    "Check that the agent listens on this port, and that the CVM's address works on its network page.",
  timeout:
    'The agent may be starting, or its model may be slow. Check its logs, then send the message again.',
  refused:
    "Ask an administrator of this server to add the gateway's address to OUTBOUND_ALLOW. The port isn't the problem.",
  other_api: "Choose the port of the agent's HTTP API: 3000 unless SERVER_PORT is set.",
  outdated: "Update the agent's image to elizaOS 1.7 or later.",
  failed: "Check the agent's logs.",
};
