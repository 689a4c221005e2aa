/** Why a sign-in was rejected: the `sso_error` parameter of the sign-in page. */
export type SsoFailure =
  | 'expired'
  | 'unavailable'
  | 'suspended'
  | 'provider_down'
  | 'provider_error'
  | 'denied'
  | 'rejected'
  | 'no_email'
  | 'other_domain'
  | 'email_unverified'
  | 'other_person'
  | 'not_member'
  | 'deactivated'
  | 'not_staff'
  | 'address_left'
  | 'account_closed'
  | 'registration_closed';

export class NotAdmitted extends Error {
  constructor(readonly reason: SsoFailure) {
    super(reason);
    this.name = 'NotAdmitted';
  }
}
