import { readFileSync } from 'node:fs';
import { z } from 'zod';

/* Conversations with real dstack programs, recorded without TDX hardware. */

const recording = z.object({
  exchanges: z.array(
    z.object({
      name: z.string(),
      request: z.object({
        method: z.string(),
        path: z.string(),
        headers: z.record(z.string(), z.string()).optional(),
        body: z.unknown(),
      }),
      response: z.object({
        status: z.number(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
      }),
    }),
  ),
});

export type Exchange = z.infer<typeof recording>['exchanges'][number];

/** Returns the exchanges of a file in `recordings/`, in order. */
export function readExchanges(file: string): Exchange[] {
  const text = readFileSync(new URL(`recordings/${file}`, import.meta.url), 'utf8');
  return recording.parse(JSON.parse(text)).exchanges;
}

/** Returns the RPC's name; empty for other paths. */
export const methodOf = ({ request }: Exchange): string =>
  /^\/(?:prpc|guest)\/(?:Teepod\.)?([\w.]+)/.exec(request.path)?.[1] ?? '';
