import { Button, LinkButton } from '../controls/Button';
import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { mainId } from '../announce';
import { Mark } from '../brand/Mark';
import { CopyButton } from '../controls/CopyButton';
import { paletteKeys } from '../controls/keys';
import { color, space, type } from '../theme';
import { useFirstFrame } from '../layout/useFirstFrame';

type FallbackKind = 'application_error' | 'not_found' | 'forbidden' | 'unauthorized';

const texts: Record<FallbackKind, { title: string; message: string }> = {
  application_error: {
    title: 'This page stopped working',
    message:
      'The problem is with this page; your apps keep running. Try reloading. The error was reported: include the report ID if you contact us.',
  },
  not_found: {
    title: 'Page not found',
    message: 'The page may have been deleted or renamed, or the link is wrong.',
  },
  forbidden: {
    title: 'You don’t have access to this page',
    message: 'Your team role doesn’t include it. Ask a team owner or admin for access.',
  },
  unauthorized: {
    title: 'Sign in to view this page',
    message: 'You’re signed out or your session expired. You’ll return here after you sign in.',
  },
};

/** Pages with a frame have a palette. Phones have no keyboard to open it with. */
const SearchHint = styled('span')({ '@media (pointer: coarse)': { display: 'none' } });

const Page = styled('div')({
  display: 'grid',
  alignContent: 'center',
  justifyItems: 'start',
  gap: space(4),
  margin: '0 auto',
  padding: `${space(12)} ${space(5)}`,
  maxWidth: 560,
  minHeight: '72vh',
});
const Title = styled('h1')({ ...type.display, textWrap: 'balance', outline: 0 });
const Text = styled('p')({ ...type.lead, color: color.muted, textWrap: 'pretty' });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(3), paddingTop: space(2) });
const Report = styled('p')({
  ...type.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(1),
  color: color.muted,
});
const Mono = styled('code')({ ...type.mono, color: color.text, overflowWrap: 'anywhere' });

interface Props {
  kind: FallbackKind;
  title?: string;
  message?: string;
  /** ID of the error report, or of the refused request. */
  report_id?: string;
  /** Next steps, the most likely first. Defaults to a link home. */
  actions?: ReactNode;
  homeHref?: string;
  /** Whether to add the main landmark; AppFrame already has one. */
  landmark?: boolean;
}

/** Shown if a page can't be displayed: what happened and what to do next. */
export function FallbackPage({
  kind,
  title,
  message,
  report_id,
  actions,
  homeHref = '/',
  landmark = true,
}: Props) {
  useFirstFrame();
  return (
    <Page {...(landmark ? { role: 'main', id: mainId, tabIndex: -1 } : {})} style={{ outline: 0 }}>
      <Mark size={40} />
      <Title>{title ?? texts[kind].title}</Title>
      <Text>
        {message ?? texts[kind].message}
        {message === undefined && kind === 'not_found' && !landmark && (
          <SearchHint> Press {paletteKeys} to search.</SearchHint>
        )}
      </Text>
      {report_id !== undefined && (
        <Report>
          {kind === 'application_error' ? 'Report' : 'Request'} <Mono>{report_id}</Mono>
          <CopyButton text={report_id} what="ID" />
        </Report>
      )}
      <Row>
        {actions ?? (
          <>
            {kind === 'application_error' && (
              <Button variant="contained" onClick={() => location.reload()}>
                Reload
              </Button>
            )}
            <LinkButton href={homeHref} {...(kind === 'application_error' ? {} : { variant: 'contained' })}>
              Go to the home page
            </LinkButton>
          </>
        )}
      </Row>
    </Page>
  );
}
