import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useMayDeploy } from '../../../api/session';
import { importWithRetry } from '../../../lib/importWithRetry';
import { secretHostOf } from '../../../lib/secrets/privacy';
import { useLiveAnalysis } from './analysis';
import {
  checkForm,
  composeInputOf,
  type DeployForm,
  emptyForm,
  type FieldErrors,
  fieldErrorsOf,
  toProvision,
} from './form';
import { unsupportedSettings } from './guestForm';
import { hostsAt } from './PlaceSection';
import {
  hostsOptions,
  instanceTypesOptions,
  roomOf,
  sizesOf,
  useNameTaken,
  usePreflight,
  withDefaultSize,
} from './queries';
import { largestThatFits } from './resize';
import { useDeploy } from './useDeploy';
import { useDeployForm } from './useDeployForm';

export const NO_ACCESS = 'You can’t deploy here.';

export type DeployEditor = ReturnType<typeof useDeployEditor>;

/** The deploy form's values, the checks of them, and the deployment they start. */
export function useDeployEditor(teamSlug: string) {
  const [entered, change, { reset }] = useDeployForm(teamSlug);
  const { data: types } = useSuspenseQuery(instanceTypesOptions());
  const { data: hosts } = useSuspenseQuery(hostsOptions(teamSlug));
  /** Sizes chosen and left again, newest first: they stay on offer. */
  const [leftSizes, setLeftSizes] = useState<readonly string[]>([]);
  const sizes = sizesOf(types, [entered.size, ...leftSizes]);
  const form = withDefaultSize(entered, sizes);
  const placed = hostsAt(hosts.nodes, form.place);

  const role = useMay('cvms.write', teamSlug);
  const may = useMayDeploy(teamSlug);
  const preflight = usePreflight(teamSlug, form);
  const refusal = preflight.data?.refusal;
  const access = refusal?.limit === 'access' ? refusal.reason : undefined;

  const body = toProvision(form);
  const secretNames = body.compose_file.allowed_envs;
  const context = {
    secretNames,
    preLaunchScript: form.pre_launch_script,
    onlyLocal: secretHostOf(hosts.nodes, form.place) === 'local',
  };
  const live = useLiveAnalysis(composeInputOf(body), context);

  const [saveCopy, setSaveCopy] = useState(true);
  const deploy = useDeploy(teamSlug, form, { saveCopy, onDone: reset });
  const unsupported = unsupportedSettings(form, placed, form.image);
  const isUnsupported = Object.keys(unsupported).length > 0;
  const faults: FieldErrors = { ...unsupported, ...checkForm(form) };
  const taken = useNameTaken(teamSlug, form.name);
  const [submitted, setSubmitted] = useState(false);
  // Before the first submit only edited fields are validated; afterward all of them are.
  const errors: FieldErrors = {
    ...fieldErrorsOf(deploy.error),
    ...(submitted ? faults : onlyEdited(faults, form)),
  };
  if (taken && errors.name === undefined)
    errors.name = 'A CVM in this team already has this name. Choose another.';

  const edit = (next: Partial<DeployForm>) => {
    if (deploy.error) deploy.reset();
    if (next.size !== undefined)
      setLeftSizes([entered.size, ...leftSizes.filter((one) => one !== entered.size)]);
    change(next);
  };
  const startOver = () => {
    reset();
    deploy.reset();
    setSubmitted(false);
    setSaveCopy(true);
    setLeftSizes([]);
  };
  const submit = async () => {
    setSubmitted(true);
    // The form may be submitted before the worker has answered. Loads the parser only then, because it is large.
    const ok = live.pending
      ? (await importWithRetry(() => import('../../../lib/compose/composeFile'))).analyzeCompose(
          form.compose,
          context,
        ).ok
      : live.analysis?.ok;
    if (Object.keys(faults).length === 0 && ok === true && !taken) deploy.mutate();
  };

  // The notice above the form already gives the reason.
  const isSaid = access !== undefined && (may.reason ?? access) === access;
  return {
    form,
    isEmpty: form.compose === '' && form.name === '' && form.secrets.length === 0,
    errors,
    hosts,
    sizes,
    /** What a host must have free for the chosen size; null if there is nothing to wait for. */
    room: may.reason === undefined ? roomOf(form, sizes) : null,
    /** The largest size with free capacity there; null if none fits. */
    largest: largestThatFits(sizesOf(types), placed),
    live,
    role,
    /** Why the team may not use the chosen location. */
    access,
    preflight: preflight.data,
    preflightError: preflight.error,
    isUnsupported,
    blocked: blockedReason(
      !role.allowed ? 'This form is read-only.' : isSaid ? NO_ACCESS : may.reason,
      live.analysis?.ok === false && form.compose.trim() !== '',
      isUnsupported,
    ),
    hasSecrets: secretNames?.some((name) => name !== '') === true,
    saveCopy,
    setSaveCopy,
    deploy,
    edit,
    startOver,
    submit,
  };
}

/** Hides errors of fields that haven't been edited yet. */
function onlyEdited(errors: FieldErrors, form: DeployForm): FieldErrors {
  const edited = Object.entries(errors).filter(
    ([field]) =>
      field !== 'secrets' && form[field as keyof DeployForm] !== emptyForm[field as keyof DeployForm],
  );
  // A name that is still being typed is not wrong yet.
  return Object.fromEntries(edited.filter(([field]) => field !== 'name' || form.name.length >= 5));
}

function blockedReason(
  role: string | undefined,
  composeFails: boolean,
  isUnsupported: boolean,
): string | undefined {
  if (role !== undefined) return role;
  if (composeFails) return 'Fix the errors in the Compose file first.';
  return isUnsupported ? 'No host here supports a setting under Advanced.' : undefined;
}
