import { expect, it } from 'vitest';
import { hostText } from '../../../console/lib/texts/hostTexts';
import { failureOfReply } from './failures';

it('does not say that a host responds if another server does', () => {
  const { kind, detail } = failureOfReply(404, '<html>', []);
  expect(kind).toBe('unsupported');
  expect(hostText('teepod_error', { text: `Status at http://10.0.0.5: ${detail}` }).text).toBe(
    'It isn’t responding: Status at http://10.0.0.5: another server responds at this address, not a dstack-vmm (404)',
  );
});
