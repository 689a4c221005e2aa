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

it('hides its heading if the page’s title says the same, and keeps it for screen readers', () => {
  const markup = shown({ untitled: true });
  const hidden = /<h2[^>]* id="([^"]+)"[^>]*>Audit log<\/h2>/.exec(markup)?.[1];
  expect(hidden).toBeDefined();
  expect(markup).toContain(`aria-labelledby="${hidden}"`);
  expect(markup).toMatch(/<\/h2><p>Entries<\/p><\/section>$/);
});

it('shows its subtitle and actions without a visible heading', () => {
  const markup = shown({ untitled: true, subtitle: 'Tamper-evident.', actions: <b>CSV</b> });
  expect(markup.match(/<h2/g)).toHaveLength(1);
  expect(markup).toMatch(/Audit log.*Tamper-evident\..*CSV.*Entries/);
});
