import { setCvmListed } from '../../../../generated/api/sdk.gen';
import { appPagePath } from '../../../lib/public/site';
import { Notice } from '../../../ui/feedback/Notice';
import { Panel } from '../../../ui/layout/Panel';
import { useCvm } from '../address';
import { publishedValues } from './published';
import { SettingRows } from './SettingRow';
import { ToggleRow } from './ToggleRow';

/** Shows or hides the CVM's app in the public explorer. */
export function PublishPanel() {
  const { listed, app_id, listing_refused_reason: refusal } = useCvm();
  if (refusal !== null)
    return (
      <Panel title="Explorer">
        <Notice tone="attention" title="Removed by the operators of this cloud.">
          {refusal} The app can’t be published until they allow it again. Contact them if you disagree.
        </Notice>
      </Panel>
    );
  return (
    <Panel title="Explorer">
      <SettingRows>
        <ToggleRow
          name="Public page"
          field="listed"
          states={{ on: 'published', off: 'private' }}
          tone="ok"
          verbs={{ on: 'Publish', off: 'Unpublish' }}
          send={(options, on) => setCvmListed({ ...options, body: { listed: on } })}
          failed={(on) => (on ? 'Couldn’t publish' : 'Couldn’t unpublish')}
          title={({ name }, on) => `${on ? 'Publish' : 'Unpublish'} ${name}?`}
          lead={(on) => (on ? 'Anyone can read, without an account:' : null)}
          effects={(cvm, on) =>
            on
              ? publishedValues(cvm)
              : [
                  'The explorer no longer shows this CVM. Links to its page stop working if no other CVM of the app is published.',
                ]
          }
        >
          {listed && app_id !== null ? (
            <>
              Anyone can verify this CVM at <a href={appPagePath(app_id)}>its public page</a>.
            </>
          ) : (
            'Lets your users see what runs and verify it in their own browser, without an account.'
          )}
        </ToggleRow>
      </SettingRows>
    </Panel>
  );
}
