import { BadRequestException, ForbiddenException, Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { TokensService } from '../auth/index.js';
import { Urls } from '../common/urls.js';
import { SecretKey } from '../config/index.js';
import { Database } from '../database/index.js';
import type { User } from '../users/index.js';
import type { SamlIdentity } from './saml/assertion.js';
import { type Parties, requestAddress, verifyResponse } from './saml/exchange.js';
import { SamlRefusal } from './saml/refusal.js';
import { insideApp } from './saml/relay-state.js';
import { endOfRequest, newRequestId } from './saml/request-ids.js';
import { SamlPeopleService } from './saml-people.service.js';
import type { ActiveProvider } from './saml-provider.schema.js';
import { toSamlService } from './saml-provider.view.js';
import { SamlProvidersService } from './saml-providers.service.js';
import { SamlUse, useId } from './saml-use.schema.js';

/** How much longer than the request holds its use is remembered, in ms: clocks of processes differ. */
const REMEMBERED = 60 * 60_000;

/** Somebody who has signed in, and where the browser goes with the token. */
export interface SamlSession {
  user: User;
  token: string;
  /** `null`: nowhere, the answer has the token. */
  target: URL | null;
}

/** The exchange with identity providers: requests go out, responses come in (decision 3.47). */
@Injectable()
export class SamlSignInService {
  private readonly logger = new Logger('SingleSignOn');

  constructor(
    @InjectModel(SamlUse.name) private readonly uses: Model<SamlUse>,
    private readonly database: Database,
    private readonly providers: SamlProvidersService,
    private readonly people: SamlPeopleService,
    private readonly tokens: TokensService,
    private readonly key: SecretKey,
    private readonly urls: Urls,
  ) {}

  /**
   * The address of the identity provider `id` to which a browser is sent to sign in; `relayState` is where it goes at the
   * end. Nothing is written.
   *
   * @throws BadRequestException for an address outside of the application, NotFoundException when the provider is unknown
   * or pending.
   */
  async start(id: string, relayState = ''): Promise<string> {
    if (relayState !== '' && !insideApp(relayState, this.urls.app())) {
      throw new BadRequestException(
        `RelayState must be an address under ${this.urls.app()}, without a fragment; leave it out to be answered with the token`,
      );
    }
    const provider = await this.providers.getActive(id);
    return requestAddress(this.parties(provider), newRequestId(this.key, id, Date.now()), relayState);
  }

  /**
   * Signs in whom a response is about.
   *
   * @throws ForbiddenException when it does not hold, or the person may not sign in this way, and nothing changes then;
   * NotFoundException when the provider is unknown or pending.
   */
  async finish(id: string, encoded: string, relayState = ''): Promise<SamlSession> {
    const provider = await this.providers.getActive(id);
    try {
      const target = relayState === '' ? null : insideApp(relayState, this.urls.app());
      if (relayState !== '' && !target) throw new SamlRefusal('The relay state is no address of the application');
      return { ...(await this.admit(id, await verifyResponse(encoded, this.parties(provider)))), target };
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      this.logger.warn({ provider: id, refused: error.message });
      throw new ForbiddenException(error.message);
    }
  }

  /** Uses the request and the assertion up, and lets the person in, all at once: they are good for a single time. */
  private async admit(id: string, identity: SamlIdentity): Promise<Omit<SamlSession, 'target'>> {
    const end = endOfRequest(this.key, id, identity.inResponseTo, Date.now());
    if (!end) {
      throw new SamlRefusal('The response answers no sign-in that began here, or it took too long; sign in again');
    }
    const expiresAt = new Date(end.getTime() + REMEMBERED);
    return this.database.transaction(async () => {
      // as it is by now, with its default team
      const provider = await this.providers.getActive(id);
      await this.use([
        { _id: useId(id, 'request', identity.inResponseTo), expiresAt },
        { _id: useId(id, 'assertion', identity.assertion), expiresAt },
      ]);
      const user = await this.people.admit(provider, identity);
      return { user, token: await this.tokens.issueSession(user._id) };
    });
  }

  /** @throws SamlRefusal when one of `uses` is there already. */
  private async use(uses: SamlUse[]): Promise<void> {
    try {
      await this.uses.insertMany(uses);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 11000) throw error;
      throw new SamlRefusal('The response was used already; sign in again');
    }
  }

  private parties(provider: ActiveProvider): Parties {
    return { provider, service: toSamlService(provider._id, this.urls) };
  }
}
