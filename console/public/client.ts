import { createElement, type ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { importWithRetry } from '../lib/importWithRetry';
import { ownValue } from '../lib/ownValue';
import { islands } from './islands/islands';
import './styles';

/** Hydrates a public page's interactive parts. Pages without any don't load this. */
for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { island = '', props = '{}' } = root.dataset;
  const load = ownValue(islands, island);
  if (load)
    void importWithRetry<unknown>(load).then(
      (Component) =>
        hydrateRoot(root, createElement(Component as ComponentType<object>, JSON.parse(props) as object)),
      () => showLoadFailure(root),
    );
}

/** Says that a part of the page won't work, replacing its progress indicator if any. */
function showLoadFailure(root: HTMLElement): void {
  const notice = document.createElement(root.tagName === 'SPAN' ? 'span' : 'p');
  notice.setAttribute('role', 'alert');
  notice.textContent = ' Couldn’t load this part of the page. Check your connection, then reload the page.';
  const progress = root.querySelector('[data-progress]');
  if (progress) progress.replaceWith(notice);
  else root.append(notice);
}
