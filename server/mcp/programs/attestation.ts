import { request } from 'node:http';
import { ToolFault, type McpServer } from '../protocol';

const MAX_REPLY = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** Proof of what answers: a quote over the caller's challenge, from the guest agent. @param socket its Unix socket */
export const attestationServer = (socket: string): McpServer => ({
  name: 'mcp-attestation',
  title: 'Attestation',
  version: '1.0.0',
  instructions: 'Ask for a quote over a fresh random challenge, and have it verified outside this server.',
  tools: [
    {
      name: 'get_quote',
      title: 'Get quote',
      description:
        'Returns a hardware-signed quote that contains the challenge, with the event log that it covers.',
      input: {
        type: 'object',
        properties: {
          challenge: {
            type: 'string',
            description:
              '1 to 64 random bytes in hexadecimal. They become the quote’s report data, padded with zeros.',
            minLength: 2,
            maxLength: 128,
            pattern: '^(?:[0-9a-fA-F]{2})+$',
          },
        },
        required: ['challenge'],
        additionalProperties: false,
      },
      is_read_only: true,
      is_destructive: false,
      call: ({ challenge }) => agent(socket, `/GetQuote?report_data=${challenge as string}`),
    },
    {
      name: 'get_app_info',
      title: 'Get app information',
      description: 'Returns the app’s ID, instance, name and compose hash as the guest knows them.',
      input: { type: 'object', properties: {}, required: [], additionalProperties: false },
      is_read_only: true,
      is_destructive: false,
      async call() {
        const info = await agent(socket, '/Info');
        const shown = ['app_id', 'instance_id', 'app_name', 'device_id', 'compose_hash', 'os_image_hash'];
        return Object.fromEntries(Object.entries(info).filter(([name]) => shown.includes(name)));
      },
    },
  ],
});

function agent(socketPath: string, path: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const unreachable = () =>
      reject(new ToolFault('The guest agent does not answer. Is its socket mounted?'));
    const call = request({ socketPath, path, host: 'dstack', timeout: TIMEOUT_MS }, (res) => {
      const parts: Buffer[] = [];
      let size = 0;
      res.on('data', (part: Buffer) => {
        size += part.length;
        if (size > MAX_REPLY) call.destroy(new Error('the reply is too large'));
        else parts.push(part);
      });
      res.on('error', unreachable);
      res.on('end', () => {
        try {
          if (res.statusCode !== 200) throw new Error(`status ${res.statusCode}`);
          resolve(JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>);
        } catch {
          reject(new ToolFault('The guest agent refused the request.'));
        }
      });
    });
    call.on('timeout', () => call.destroy(new Error('timeout')));
    call.on('error', unreachable);
    call.end();
  });
}
