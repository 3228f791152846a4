// The MARC code of the place of publication (008/15-17; MARC Code List for Countries): of the first place, as the
// catalogue's list of places knows it, else by the country, state or province that its text ends with.

import type { FindPlace } from '../../model/place-names.js'
import type { Place, Places } from '../../model/places.js'

type PlaceCoderDependencies = {
  readonly places: Pick<Places, 'ancestorsOf'>
  readonly findPlace: FindPlace
  /** Finds a country's code in ISO 3166-1 by its English name. */
  readonly findCountry: (name: string) => string | undefined
}

/** A function that gives the code of places such as `Leeds, England`: three characters, `xx ` where it is not known. */
export function createPlaceCoder({ places, findPlace, findCountry }: PlaceCoderDependencies) {
  return ([first = '']: readonly string[]): string => {
    const text = first.replace(/[[\]?]/g, '').trim()
    const place = findPlace(text)
    return ((place ? codeOfPlace(place) : codeOfText(text)) ?? 'xx').padEnd(3)
  }

  function codeOfPlace(place: Place): string | undefined {
    const region = [place, ...places.ancestorsOf(place)].find(({ level }) => level === 'admin1')
    return codeIn(place.country_code, region?.name)
  }

  function codeOfText(text: string): string | undefined {
    const parts = text.split(',').map((part) => part.replaceAll('.', '').trim())
    const [last = '', before] = parts.toReversed()
    // The republic, or the state of the USA.
    if (last === 'Georgia' && before !== undefined) return undefined
    const country = findCountry(last)
    return country === undefined ? divisionCodes(last)[0] : codeIn(country, before)
  }
}

/** The code of the country, or of its state or province where MARC has one. */
function codeIn(country: string, region = ''): string | undefined {
  const ending = endings.get(country)
  const isOfCountry = (code: string): boolean => ending !== undefined && code.endsWith(ending)
  return divisionCodes(region).find(isOfCountry) ?? countries.get(country)
}

/** The codes of all states and provinces with a name or an abbreviation. */
const divisionCodes = (name: string): readonly string[] =>
  [
    divisions.get(name.toLowerCase()),
    states.has(name) ? stateCode(name) : undefined,
    provinces.get(name),
    australianStates.get(name),
  ].filter((code) => code !== undefined)

const pairs = (text: string): (readonly [string, string])[] =>
  text.split(';').map((pair) => pair.trim().split('=') as [string, string])

/** How the codes of the states and provinces of a country end. */
const endings: ReadonlyMap<string, string> = new Map([
  ['AU', 'a'],
  ['CA', 'c'],
  ['GB', 'k'],
  ['US', 'u'],
])

/** The states of the USA by their postal codes, which end the codes of MARC too but for Nebraska's. */
const states: ReadonlySet<string> = new Set(
  `AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH
   OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY`.split(/\s+/),
)

/** The provinces of Canada by their postal codes. */
const provinces: ReadonlyMap<string, string> = new Map(
  pairs(
    'AB=abc; BC=bcc; MB=mbc; NB=nkc; NL=nfc; NS=nsc; NT=ntc; NU=nuc; ON=onc; PE=pic; QC=quc; SK=snc; YT=ykc',
  ),
)

const australianStates: ReadonlyMap<string, string> = new Map(
  pairs('ACT=aca; NSW=xna; NT=xoa; QLD=qea; SA=xra; TAS=tma; VIC=vra; WA=wea'),
)

const stateCode = (state: string): string => (state === 'NE' ? 'nbu' : `${state.toLowerCase()}u`)

// The USSR is here too, which ISO 3166-1 has no code for any more.
const divisions: ReadonlyMap<string, string> = new Map(
  pairs(`
    england=enk; scotland=stk; wales=wlk; northern ireland=nik; ussr=xxr;
    alabama=alu; alaska=aku; arizona=azu; arkansas=aru; california=cau; colorado=cou; connecticut=ctu;
    delaware=deu; district of columbia=dcu; dc=dcu; florida=flu; georgia=gau; hawaii=hiu; idaho=idu;
    illinois=ilu; indiana=inu; iowa=iau; kansas=ksu; kentucky=kyu; louisiana=lau; maine=meu; maryland=mdu;
    massachusetts=mau; michigan=miu; minnesota=mnu; mississippi=msu; missouri=mou; montana=mtu;
    nebraska=nbu; nevada=nvu; new hampshire=nhu; new jersey=nju; new mexico=nmu; new york=nyu;
    north carolina=ncu; north dakota=ndu; ohio=ohu; oklahoma=oku; oregon=oru; pennsylvania=pau;
    rhode island=riu; south carolina=scu; south dakota=sdu; tennessee=tnu; texas=txu; utah=utu;
    vermont=vtu; virginia=vau; washington=wau; west virginia=wvu; wisconsin=wiu; wyoming=wyu;
    alberta=abc; british columbia=bcc; manitoba=mbc; new brunswick=nkc; newfoundland and labrador=nfc;
    northwest territories=ntc; nova scotia=nsc; nunavut=nuc; ontario=onc; prince edward island=pic;
    quebec=quc; québec=quc; saskatchewan=snc; yukon=ykc;
    australian capital territory=aca; new south wales=xna; northern territory=xoa; queensland=qea;
    south australia=xra; tasmania=tma; victoria=vra; western australia=wea
  `),
)

// By ISO 3166-1. Hong Kong and Macao are of China, Svalbard of Norway, Åland of Finland; Palestine has two codes.
const countries: ReadonlyMap<string, string> = new Map(
  pairs(`
    AD=an; AE=ts; AF=af; AG=aq; AI=am; AL=aa; AM=ai; AO=ao; AQ=ay; AR=ag; AS=as; AT=au; AU=at; AW=aw; AX=fi;
    AZ=aj; BA=bn; BB=bb; BD=bg; BE=be; BF=uv; BG=bu; BH=ba; BI=bd; BJ=dm; BL=sc; BM=bm; BN=bx; BO=bo; BQ=ca;
    BR=bl; BS=bf; BT=bt; BV=bv; BW=bs; BY=bw; BZ=bh; CA=xxc; CC=xb; CD=cg; CF=cx; CG=cf; CH=sz; CI=iv; CK=cw;
    CL=cl; CM=cm; CN=cc; CO=ck; CR=cr; CU=cu; CV=cv; CW=co; CX=xa; CY=cy; CZ=xr; DE=gw; DJ=ft; DK=dk; DM=dq;
    DO=dr; DZ=ae; EC=ec; EE=er; EG=ua; EH=ss; ER=ea; ES=sp; ET=et; FI=fi; FJ=fj; FK=fk; FM=fm; FO=fa; FR=fr;
    GA=go; GB=xxk; GD=gd; GE=gs; GF=fg; GG=gg; GH=gh; GI=gi; GL=gl; GM=gm; GN=gv; GP=gp; GQ=eg; GR=gr; GS=xs;
    GT=gt; GU=gu; GW=pg; GY=gy; HK=cc; HM=hm; HN=ho; HR=ci; HT=ht; HU=hu; ID=io; IE=ie; IL=is; IM=im; IN=ii;
    IO=bi; IQ=iq; IR=ir; IS=ic; IT=it; JE=je; JM=jm; JO=jo; JP=ja; KE=ke; KG=kg; KH=cb; KI=gb; KM=cq; KN=xd;
    KP=kn; KR=ko; KW=ku; KY=cj; KZ=kz; LA=ls; LB=le; LC=xk; LI=lh; LK=ce; LR=lb; LS=lo; LT=li; LU=lu; LV=lv;
    LY=ly; MA=mr; MC=mc; MD=mv; ME=mo; MF=st; MG=mg; MH=xe; MK=xn; ML=ml; MM=br; MN=mp; MO=cc; MP=nw; MQ=mq;
    MR=mu; MS=mj; MT=mm; MU=mf; MV=xc; MW=mw; MX=mx; MY=my; MZ=mz; NA=sx; NC=nl; NE=ng; NF=nx; NG=nr; NI=nq;
    NL=ne; NO=no; NP=np; NR=nu; NU=xh; NZ=nz; OM=mk; PA=pn; PE=pe; PF=fp; PG=pp; PH=ph; PK=pk; PL=pl; PM=xl;
    PN=pc; PR=pr; PT=po; PW=pw; PY=py; QA=qa; RE=re; RO=rm; RS=rb; RU=ru; RW=rw; SA=su; SB=bp; SC=se; SD=sj;
    SE=sw; SG=si; SH=xj; SI=xv; SJ=no; SK=xo; SL=sl; SM=sm; SN=sg; SO=so; SR=sr; SS=sd; ST=sf; SV=es; SX=sn;
    SY=sy; SZ=sq; TC=tc; TD=cd; TF=fs; TG=tg; TH=th; TJ=ta; TK=tl; TL=em; TM=tk; TN=ti; TO=to; TR=tu; TT=tr;
    TV=tv; TW=ch; TZ=tz; UA=un; UG=ug; US=xxu; UY=uy; UZ=uz; VA=vc; VC=xm; VE=ve; VG=vb; VI=vi; VN=vm; VU=nn;
    WF=wf; WS=ws; YE=ye; YT=ot; ZA=sa; ZM=za; ZW=rh
  `),
)
