import { headersOf, send, type Service } from './door';
import { answerMcp, type McpServer } from './protocol';

/** The service of a server with tools. */
export const serviceOf = (mcp: McpServer): Service => ({
  name: 'The server',
  title: mcp.title,
  has_sessions: false,
  answer: async ({ req, res, body, holder }) => {
    const reply = await answerMcp(mcp, body.toString('utf8'), headersOf(req), (call) => holder.call(call));
    send(res, reply.status, reply.body);
  },
});
