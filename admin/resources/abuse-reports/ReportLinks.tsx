import { appPagePath } from '../../../console/lib/public/site';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { answerHref } from './answerHref';

/** Links from a report to its subject and its sender. */
export function ReportLinks({ record }: { record: AdminRecord }) {
  const app_id = String(record.app_id);
  const email = typeof record.email === 'string' ? record.email : null;
  return (
    <Panel title="App and reporter" framed>
      <KeyValue
        facts={[
          {
            label: 'Public page',
            value:
              record.is_delisted === true ? (
                'Removed'
              ) : record.state === 'reinstated' ? (
                'Its team can publish it again'
              ) : (
                <TextLink href={appPagePath(app_id)} target="_blank">
                  Open in the explorer
                </TextLink>
              ),
          },
          { label: 'App', value: <TextLink href={adminHref.list('cvms', { app_id })}>Its CVMs</TextLink> },
          {
            label: 'Reporter',
            value:
              email === null ? (
                'No reply requested'
              ) : (
                <TextLink href={answerHref(email, String(record.app_name))}>Answer {email}</TextLink>
              ),
            wide: true,
          },
        ]}
      />
    </Panel>
  );
}
