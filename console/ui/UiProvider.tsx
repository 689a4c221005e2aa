import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import GlobalStyles from '@mui/material/GlobalStyles';
import { ThemeProvider } from '@mui/material/styles';
import type { ComponentType, ReactNode } from 'react';
import { AnnouncerProvider } from './announce';
import { ToastProvider } from './feedback/toasts';
import { LinkProvider, type LinkProps } from './link';
import { theme } from './muiTheme';
import { cspNonce } from './nonce';
import { schemeStorageKey, tokenSheet } from './theme';

const nonce = cspNonce();
const cache = createCache(nonce === undefined ? { key: 'th' } : { key: 'th', nonce });
const tokens = <GlobalStyles styles={tokenSheet} />;

/** Everything the components here need around them; once, at the root of each app. */
export function UiProvider({ link, children }: { link: ComponentType<LinkProps>; children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={schemeStorageKey} noSsr>
        {tokens}
        <CssBaseline />
        <LinkProvider component={link}>
          <AnnouncerProvider>
            <ToastProvider>{children}</ToastProvider>
          </AnnouncerProvider>
        </LinkProvider>
      </ThemeProvider>
    </CacheProvider>
  );
}
