import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Panel } from './Panel';

const shown = (props: Partial<Parameters<typeof Panel>[0]>) =>
  renderToStaticMarkup(
    <Panel title="Audit log" {...props}>
      <p>Entries</p>
    </Panel>,
  ).replaceAll(/<style.*?<\/style>/gs, '');

it('is named by its heading', () => {
  const markup = shown({});
  const id = /<h2[^>]* id="([^"]+)"[^>]*>Audit log<\/h2>/.exec(markup)?.[1];
  expect(id).toBeDefined();
  expect(markup).toContain(`aria-labelledby="${id}"`);
});

it('keeps its name without a heading, if the page’s title says the same', () => {
  const markup = shown({ untitled: true });
  expect(markup).not.toContain('<h2');
  expect(markup).toMatch(/^<section[^>]* aria-label="Audit log"[^>]*><p>Entries<\/p><\/section>$/);
});

it('shows its subtitle and actions without a heading', () => {
  const markup = shown({ untitled: true, subtitle: 'Tamper-evident.', actions: <b>CSV</b> });
  expect(markup).not.toContain('<h2');
  expect(markup).toMatch(/Tamper-evident\..*CSV.*Entries/);
});
