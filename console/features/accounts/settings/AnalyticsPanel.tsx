import { Panel } from '../../../ui/layout/Panel';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { useAnalyticsChoice } from '../../../api/useAnalyticsChoice';

/** Lets this device opt out of usage analytics. Renders nothing if the server collects none. */
export function AnalyticsPanel() {
  const choice = useAnalyticsChoice();
  if (!choice) return null;
  return (
    <Panel title="Usage analytics" framed>
      <SwitchInput
        label="Share usage analytics from this device"
        help={
          choice.isRefusedByBrowser
            ? 'Off because your browser sends Do Not Track or Global Privacy Control.'
            : 'Counts page types and features used. Never includes names, IDs, addresses or anything you type.'
        }
        checked={choice.isAllowed}
        disabled={choice.isRefusedByBrowser}
        onChange={({ target }) => choice.setAllowed(target.checked)}
      />
    </Panel>
  );
}
