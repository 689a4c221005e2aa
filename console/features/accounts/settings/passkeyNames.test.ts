import { expect, test } from 'vitest';
import { ceremonyFault, suggestName } from './passkeyNames';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

test('suggests a unique name from the browser and system', () => {
  expect(suggestName(CHROME, [])).toBe('Chrome on Linux');
  expect(suggestName(CHROME, ['Chrome on Linux', 'Chrome on Linux 2'])).toBe('Chrome on Linux 3');
  expect(suggestName(IPHONE, [])).toBe('Safari on iPhone');
  expect(suggestName('something else', [])).toBe('Browser');
});

test('explains why a passkey was not created', () => {
  expect(ceremonyFault(new DOMException('', 'AbortError'))).toBeNull();
  expect(ceremonyFault(new DOMException('', 'InvalidStateError'))).toContain('already');
  expect(ceremonyFault('?')).toContain('couldn’t create');
});
