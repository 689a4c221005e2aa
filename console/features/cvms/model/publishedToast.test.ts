import { expect, it } from 'vitest';
import { publishedToast } from './publishedToast';

it('says that a published model can be used only while the team’s AI API is on', () => {
  expect(publishedToast('acme/own', 'acme', true)).toEqual({
    tone: 'ok',
    title: 'acme/own is served through the API',
    message: 'The team’s AI keys can use it now.',
  });
  const off = publishedToast('acme/own', 'acme', false);
  expect(off).toMatchObject({
    tone: 'attention',
    title: 'acme/own is served through the API',
    link: { label: 'Confidential AI', href: '/dashboard/confidential-ai-api?team=acme' },
  });
  expect(off.message).toMatch(/^The AI API is off for this team\. .*turns the API on/);
  // Not known yet.
  expect(publishedToast('acme/own', 'acme', undefined)).not.toHaveProperty('message');
});
