import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { mainId } from '../announce';
import { Mark } from '../brand/Mark';
import { CopyButton } from '../controls/CopyButton';
import { LinkButton } from '../controls/LinkButton';
import { color, space, type } from '../theme';

export type FallbackKind = 'application_error' | 'not_found' | 'forbidden' | 'unauthorized';

const texts: Record<FallbackKind, { title: string; message: string }> = {
  application_error: {
    title: 'This page stopped working',
    message:
      'A fault in the page, not in your apps: they keep running. Reloading usually helps. The fault was reported; quote the report id if you write to us.',
  },
  not_found: {
    title: 'There is nothing at this address',
    message:
      'It may have been deleted or renamed, or the link was mistyped. Search (Ctrl or ⌘ K) finds what you can reach.',
  },
  forbidden: {
    title: 'Your role does not allow this page',
    message:
      'It exists, but your role in this team has no access to it. An owner or admin of the team can change that.',
  },
  unauthorized: {
    title: 'Sign in to see this page',
    message: 'Your session has ended or you are signed out. After signing in you come back here.',
  },
};

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
  /** The id of the error report, or of the request that was refused. */
  report_id?: string;
  /** The way on: first the most likely one. Without it, a link home. */
  actions?: ReactNode;
  homeHref?: string;
  /** Inside AppFrame the frame already has the main landmark. */
  landmark?: boolean;
}

/** Says what happened and how to go on, when a page cannot be shown. */
export function FallbackPage({
  kind,
  title,
  message,
  report_id,
  actions,
  homeHref = '/',
  landmark = true,
}: Props) {
  return (
    <Page {...(landmark ? { role: 'main', id: mainId, tabIndex: -1 } : {})} style={{ outline: 0 }}>
      <Mark size={40} />
      <Title>{title ?? texts[kind].title}</Title>
      <Text>{message ?? texts[kind].message}</Text>
      {report_id !== undefined && (
        <Report>
          {kind === 'application_error' ? 'Report' : 'Request'} <Mono>{report_id}</Mono>
          <CopyButton text={report_id} what="id" />
        </Report>
      )}
      <Row>
        {actions ?? (
          <>
            {kind === 'application_error' && (
              <Button variant="contained" color="primary" onClick={() => location.reload()}>
                Reload
              </Button>
            )}
            <LinkButton
              href={homeHref}
              {...(kind === 'application_error' ? {} : { variant: 'contained', color: 'primary' })}
            >
              Go to the start page
            </LinkButton>
          </>
        )}
      </Row>
    </Page>
  );
}
