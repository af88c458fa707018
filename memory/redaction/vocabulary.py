"""The words that detectors go by."""

from __future__ import annotations

PASSWORD_WORDS = frozenset("pass pw passw passkey psw pswd passwords passwds pwds passphrases passcodes".split())

SECRET_WORDS = frozenset(
    """
    cred creds credential credentials bearer jwt mnemonic otp psk sessionid phpsessid jsessionid secrets tokens
    apikeys
    """.split()
)

WEAK_WORDS = frozenset(
    """
    keys auth authorization cookie cookies session salt seed dsn webhook login access account logon sas pat sk
    sid pin phrase
    """.split()
)

SHORT_WORDS = frozenset("pass pw pin sk pat sid sas access account login session seed salt".split())

HARMLESS_TOKEN = frozenset(
    "next request page continuation change lock action cursor pagination sync resume stop cancellation".split()
)

KEY_OF = frozenset(
    """
    api secret access private signing encryption encrypt master app application client account storage service
    license licence shared subscription admin root deploy write read rest consumer hmac aes jwt webhook auth
    integration ingest server live test sandbox prod production security user unlock developer dev personal
    """.split()
)

HARMLESS_KEY = frozenset(
    """
    public publishable primary foreign sort partition cache row fact idempotency routing object s3 map dict
    composite natural surrogate hash index unique field i18n translation config shift ctrl alt arrow hot short
    group order lookup search bucket registry answer lock dedupe dedup column host ref ssh known react json cell
    pub idem message
    """.split()
)

HARMLESS_AFTER = frozenset(
    """
    id ids name names url urls uri uris endpoint host hostname domain path file filename filepath dir directory
    type types kind length len size min max minimum maximum count limit limits ttl age expiry expires expire
    expiration exp timeout interval refresh policy policies rule rules field fields label hint placeholder
    prompt header prefix suffix algorithm alg algo version format encoding hash hashed hashes digest fingerprint
    enabled enable required disabled reset pattern regex provider manager store ref refs reference arn issuer
    audience scope scopes class method variable var column table usage budget bucket rate lifetime ring rotation
    rotated created updated at date time duration strength validator validation check checker verify error
    errors message status state mode flag param parameter arg argument input output form page screen view route
    handler service middleware generator factory encoder decoder parser hasher attempts retries retry history
    change changed forgot forgotten forget link email template title text description help size bits chars
    charset word words secretname keyname alias index position encryption mechanism last used modified scanner
    hashers validators backend backends classes permissions pair pairs map vault chain list set cap code
    """.split()
)

INNOCENT = frozenset("monkey donkey turkey hockey jockey whiskey".split())

HASHES = frozenset(
    "commit sha sha1 sha256 sha512 md5 uuid guid etag digest checksum revision rev crc tag branch".split()
)

EMPTY_WORDS = frozenset(
    """
    true false yes no on off none null nil undefined empty optional required string str text integer int number
    bool boolean bytes char varchar password passwd pass pwd secret token key apikey api_key value default unset
    unknown invalid expired missing wrong incorrect correct valid hashed encrypted plain plaintext disabled
    enabled test testing prompt ask env environment file vault keyring sops inherit public private internal any
    all self object array list dict record hidden basic bearer digest negotiate oauth oauth2 jwt anonymous
    pending active guest my the your this user admin db demo dev sandbox foo bar baz qux abc example sample
    changeme letmein
    """.split()
)

JARGON = frozenset(
    """
    pbkdf pkcs mysql psql pgsql html xhtml http https xml nginx kubectl mqtt grpc sqlx sqlite mongodb rabbitmq
    kafka github gitlab dropbox pytest numpy junit webpack rhythm xlsx docx json jsonb tmux config dbname hdfs
    jdbc jwks oauth openssl tls wsgi asgi crypt bcrypt scrypt jwt cfg cmd ctx msg pwd pkg xyz kwargs args utf
    txt pdf png jpg svg
    """.split()
)

RARE_PAIRS = frozenset(
    """
    bk bq bx bz cb cd cf cg cj cm cp cv cw cx cz dx dq dz fb fc fd fg fh fj fk fm fn fp fq fv fw fx fz gb gc gf
    gj gk gp gq gv gx gz hc hg hj hk hp hq hv hx hz ij iy jb jc jd jf jg jh jj jk jl jm jn jp jq jr js jt jv jw
    jx jy jz kc kd kf kg kj kk km kp kq kv kx kz lj lq lx lz mg mj mk mq mv mw mx mz nq nx pb pc pd pf pg pj pk
    pq pv px pz qa qb qc qd qe qf qg qh qi qj qk ql qm qn qo qp qq qr qs qt qv qw qx qy qz rx sj sx sz tj tq tx
    uq uw uy vb vc vd vf vg vh vj vk vl vm vn vp vq vr vs vt vv vw vx vz wj wk wp wq wu wv wx wz xb xd xf xg xj
    xk xl xm xn xq xr xs xv xw xz yj yk yq yv yx yy yz zb zc zd zf zg zj zk zm zn zp zq zr zs zt zu zv zw zx
    """.split()
)
