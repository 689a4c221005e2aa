import createCache from '@emotion/cache';
import { CacheProvider, Global } from '@emotion/react';
import type { ComponentType, ReactNode } from 'react';
import { AnnouncerProvider } from './announce';
import { baseSheet } from './baseSheet';
import { ToastProvider } from './feedback/toasts';
import { fontFaces } from './fonts';
import { LinkProvider, type LinkProps } from './link';
import { cspNonce } from './nonce';

const nonce = cspNonce();
const styles = [fontFaces, baseSheet];
const cache = createCache(nonce === undefined ? { key: 'th' } : { key: 'th', nonce });

/** Context required by the components in this folder; rendered once, at the root of each app. */
export function UiProvider({ link, children }: { link: ComponentType<LinkProps>; children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <Global styles={styles} />
      <LinkProvider component={link}>
        <AnnouncerProvider>
          <ToastProvider>{children}</ToastProvider>
        </AnnouncerProvider>
      </LinkProvider>
    </CacheProvider>
  );
}
