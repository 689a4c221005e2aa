import createCache from '@emotion/cache';
import { CacheProvider, Global } from '@emotion/react';
import type { ComponentType, ReactNode } from 'react';
import { AnnouncerProvider } from './announce';
import { baseSheet } from './baseSheet';
import { ToastProvider } from './feedback/toasts';
import { fontFaces } from './fonts';
import { LinkProvider, type LinkProps } from './link';
import { cspNonce } from './nonce';
import { HoldPageContext, type HoldPage } from './pageHold';

const nonce = cspNonce();
const styles = [fontFaces, baseSheet];
const cache = createCache(nonce === undefined ? { key: 'th' } : { key: 'th', nonce });

interface Props {
  link: ComponentType<LinkProps>;
  /** Absent if dialogs don't hold the page. */
  holdPage?: HoldPage | null;
  children: ReactNode;
}

/** Context required by the components in this folder; rendered once, at the root of each app. */
export function UiProvider({ link, holdPage = null, children }: Props) {
  return (
    <CacheProvider value={cache}>
      <Global styles={styles} />
      <LinkProvider component={link}>
        <HoldPageContext value={holdPage}>
          <AnnouncerProvider>
            <ToastProvider>{children}</ToastProvider>
          </AnnouncerProvider>
        </HoldPageContext>
      </LinkProvider>
    </CacheProvider>
  );
}
