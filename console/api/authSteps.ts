import { queryOptions } from '@tanstack/react-query';
import { client } from '../../generated/api/client.gen';
import type {
  AcceptInvitationData,
  AcceptInvitationResponses,
  CheckInvitationData,
  CheckInvitationResponses,
  CheckPasswordResetData,
  CheckPasswordResetResponses,
  CreateBreakGlassSessionData,
  CreateBreakGlassSessionResponses,
  CompleteSecondFactor,
  CompleteSecondFactorData,
  CompleteSecondFactorResponses,
  CreateSecondFactorChallengeData,
  CreateSecondFactorChallengeResponses,
  CreateStepUpChallengeData,
  CreateStepUpChallengeResponses,
  DeclineInvitationData,
  DeleteSessionData,
  DiscoverSso,
  DiscoverSsoData,
  DiscoverSsoResponses,
  GetPendingSignInData,
  GetPendingSignInResponses,
  GetStepUpData,
  GetStepUpResponses,
  InvitationView,
  PasswordResetLink,
  PendingSignIn,
  RegisterUser,
  RegisterUserData,
  RegisterUserResponses,
  RequestPasswordReset,
  RequestPasswordResetData,
  ResendVerificationData,
  ResetPassword,
  ResetPasswordData,
  StartSso,
  StartSsoData,
  StartSsoResponses,
  StepUp,
  StepUpData,
  StepUpMethods,
  VerifyEmailData,
  VerifyEmailResponses,
} from '../../generated/api/types.gen';
import type { ApiError } from './apiError';
import { ask, json, key, post, type Key } from './auth';

/* Requests of the sign-in pages, separate from auth.ts, which is part of the first chunk. */
const signOutUrl: DeleteSessionData['url'] = '/auth/session';
const breakGlassUrl: CreateBreakGlassSessionData['url'] = '/auth/break-glass';
const registerUrl: RegisterUserData['url'] = '/auth/register';
const pendingUrl: GetPendingSignInData['url'] = '/auth/two-factor';
const secondFactorUrl: CompleteSecondFactorData['url'] = '/auth/two-factor';
const secondFactorPasskeyUrl: CreateSecondFactorChallengeData['url'] = '/auth/two-factor/passkey';
const verifyUrl: VerifyEmailData['url'] = '/auth/verify-email';
const resendUrl: ResendVerificationData['url'] = '/auth/verify-email/resend';
const askResetUrl: RequestPasswordResetData['url'] = '/auth/reset-password';
const checkResetUrl: CheckPasswordResetData['url'] = '/auth/reset-password/check';
const resetUrl: ResetPasswordData['url'] = '/auth/reset-password/confirm';
const checkInvitationUrl: CheckInvitationData['url'] = '/auth/invitations/check';
const acceptInvitationUrl: AcceptInvitationData['url'] = '/auth/invitations/accept';
const declineInvitationUrl: DeclineInvitationData['url'] = '/auth/invitations/decline';
const stepUpMethodsUrl: GetStepUpData['url'] = '/auth/step-up';
const stepUpUrl: StepUpData['url'] = '/auth/step-up';
const stepUpPasskeyUrl: CreateStepUpChallengeData['url'] = '/auth/step-up/passkey';
const discoverSsoUrl: DiscoverSsoData['url'] = '/auth/sso/discover';
const startSsoUrl: StartSsoData['url'] = '/auth/sso/start';

export const signOut = async (): Promise<void> => {
  await client.delete<unknown, unknown, true>({ url: signOutUrl, throwOnError: true });
};

export const register = (body: RegisterUser) => post<RegisterUserResponses>(registerUrl, body);

/** The pending sign-in; 401 with ERR-00-036 if there is none, which says nothing about the session. */
export const pendingSignInOptions = () =>
  queryOptions<PendingSignIn, ApiError, PendingSignIn, Key>({
    queryKey: key('getPendingSignIn'),
    queryFn: async ({ signal }) =>
      (
        await client.get<GetPendingSignInResponses, unknown, true>({
          url: pendingUrl,
          signal,
          throwOnError: true,
        })
      ).data,
    staleTime: 0,
    gcTime: 0,
    meta: { signsIn: true },
  });

export const secondFactorChallenge = () => ask<CreateSecondFactorChallengeResponses>(secondFactorPasskeyUrl);

export const completeSecondFactor = (body: CompleteSecondFactor) =>
  post<CompleteSecondFactorResponses>(secondFactorUrl, body);

export const verifyEmail = (body: VerifyEmailData['body']) => post<VerifyEmailResponses>(verifyUrl, body);

export const resendVerification = () => ask<unknown>(resendUrl);

/** The response doesn't reveal whether the address has an account. */
export const requestPasswordReset = (body: RequestPasswordReset) => post<unknown>(askResetUrl, body);

export const resetPassword = (body: ResetPassword) => post<unknown>(resetUrl, body);

/** Link tokens travel in bodies only, because addresses end up in logs. */
const linkOptions = <T>(id: string, url: string, token: string) =>
  queryOptions<T, ApiError, T, readonly [...Key, string]>({
    queryKey: [...key(id), token],
    queryFn: async ({ signal }) =>
      (await client.post<unknown, unknown, true>({ ...json, url, body: { token }, signal })).data as T,
    staleTime: 60_000,
    gcTime: 0,
    meta: { signsIn: true },
  });

export const passwordResetOptions = (token: string) =>
  linkOptions<CheckPasswordResetResponses[200] & PasswordResetLink>(
    'checkPasswordReset',
    checkResetUrl,
    token,
  );

export const invitationOptions = (token: string) =>
  linkOptions<CheckInvitationResponses[200] & InvitationView>('checkInvitation', checkInvitationUrl, token);

export const acceptInvitation = (token: string) =>
  post<AcceptInvitationResponses>(acceptInvitationUrl, { token });

export const declineInvitation = (token: string) => post<unknown>(declineInvitationUrl, { token });

/** The user's confirmation methods, in order of preference. */
export const stepUpMethods = async (): Promise<StepUpMethods> =>
  (await client.get<GetStepUpResponses, unknown, true>({ url: stepUpMethodsUrl, throwOnError: true })).data;

export const stepUpChallenge = () => ask<CreateStepUpChallengeResponses>(stepUpPasskeyUrl);

export const stepUp = (body: StepUp) => post<unknown>(stepUpUrl, body);

/** Returns the single sign-on connection of the address's domain, if any. */
export const discoverSso = (body: DiscoverSso) => post<DiscoverSsoResponses>(discoverSsoUrl, body);

/** Returns the provider's address for signing in to the team. */
export const startSso = (body: StartSso) => post<StartSsoResponses>(startSsoUrl, body);

/** Sets the session cookie, or the pending sign-in's cookie if a second factor is required. */
export const signInWithBreakGlass = (token: string) =>
  post<CreateBreakGlassSessionResponses>(breakGlassUrl, { token });
