import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CodeBlock } from './CodeBlock';

it('wraps a long title instead of pushing the copy button out', () => {
  const title = 'W'.repeat(95);
  const html = renderToStaticMarkup(<CodeBlock title={title} code="secret" />);
  const [, name = ''] = new RegExp(`<span class="([^"]+)">${title}</span>`).exec(html) ?? [];
  expect(name).not.toBe('');
  const [, rule = ''] = new RegExp(`\\.${name.split(' ').at(-1)}\\{([^}]*)\\}`).exec(html) ?? [];
  expect(rule).toContain('min-width:0');
  expect(rule).toContain('overflow-wrap:anywhere');
  expect(html).toContain(`aria-label="Copy ${title}"`);
});
