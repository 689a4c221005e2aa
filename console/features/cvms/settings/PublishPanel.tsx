import { setCvmListed } from '../../../../generated/api/sdk.gen';
import { appPagePath } from '../../../lib/public/site';
import { Panel } from '../../../ui/layout/Panel';
import { useCvm } from '../address';
import { SettingRows } from './SettingRow';
import { ToggleRow } from './ToggleRow';

/** What the explorer shows of a published CVM, exactly. */
const PUBLISHED = [
  'The app’s name and ID, and the team’s name.',
  'The Compose file and its hash, with each image.',
  'The CVM’s name, state, start, OS image and evidence, whether its container logs are public, and its key service.',
  'The compose hash, OS image and time of every version of the app, and who owned its contract.',
  'From now on, what changes in the Compose file between versions that run while it is published.',
];

/** Shows or hides the CVM's app in the public explorer. */
export function PublishPanel() {
  const { listed, app_id } = useCvm();
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
          effects={(_cvm, on) =>
            on
              ? PUBLISHED
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
