import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { secretFields } from '../generated/api/permissions.gen';
import { createLogger } from './log';

it('removes every secret of the document, wherever a log line may carry it', () => {
  let text = '';
  const log = createLogger(
    'info',
    new Writable({ write: (chunk: Buffer, _, done) => ((text += chunk.toString()), done()) }),
  );
  for (const field of secretFields) {
    log.info(
      {
        [field]: 'hunter2',
        body: { [field]: 'hunter2' },
        err: { [field]: 'hunter2' },
        anything: { [field]: 'hunter2' },
      },
      'request',
    );
  }
  log.info({ headers: { authorization: 'hunter2', cookie: 'hunter2', 'x-api-key': 'hunter2' } }, 'request');
  expect(text).toContain('[redacted]');
  expect(text).not.toContain('hunter2');
});
