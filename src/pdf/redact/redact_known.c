#include "pdf/redact/redact_known.h"

#include <string.h>

#include "base/scope.h"

#define LONGEST 40 /* bytes of such a name, at most */

/* Each between two blanks. */
static const char names[] =
    " A85 AHx ASCII85Decode ASCIIHexDecode AbsoluteColorimetric ActualText Adobe"
    " Adobe-Identity-0 Adobe-Identity-UCS Adobe-UCS Alt Annot Art Artifact Aside Attached"
    " BBox BPC Background Bates BibEntry BitsPerComponent BlackIs1 BlockQuote Bottom CCF"
    " CCITTFaxDecode CIDInit CIDSystemInfo CMYK CMap CMapName CMapType CMapVersion CS CalGray"
    " CalRGB Caption Clip Code ColorSpace ColorTransform Colors Columns Content Contents D"
    " DCT DCTDecode DP DamagedRowsBeforeError Decode DecodeParms DeviceCMYK DeviceGray"
    " DeviceN DeviceRGB Div Document DocumentFragment E EarlyChange Em EncodedByteAlign"
    " EndOfBlock EndOfLine Endnote F FENote Figure Filter Fl FlateDecode Footer Form Formula"
    " G H H1 H2 H3 H4 H5 H6 Header Height Horizontal I ICCBased IM Identity Identity-H"
    " Identity-V ImageMask Index Indexed Intent Interpolate K L LBody LI LZW LZWDecode Lab"
    " Lang Layout Lbl Left Length LineNum Link MCID MCR Metadata NonStruct Note OBJR OC OCG"
    " OCMD Ordering P Page PageNum Pagination Part Pattern Perceptual PlacedGraphic PlacedPDF"
    " Position Predictor Private ProcSet PropertyList Quote RB RGB RL RP RT Redaction"
    " Reference Registry RelativeColorimetric ReversedChars Right Rows Ruby RunLengthDecode"
    " Saturation Sect Separation Span Strong Sub Subtype Supplement Suspect Suspects T TBody"
    " TD TFoot TH THead TOC TOCI TR Table TagSuspect Title Top Tx Type UCS UCS2 UIDOffset"
    " Vertical W WMode WP WT Warichu Watermark Width XUID ";

/* Keys of dictionaries, in parts that every compiler reads. */
static const char *const keys[] = {
    " A A1 A2 A3 A4 AA AC ADBE ADBE_Build AF AFRelationship AIS AN AO AP APIVersion AS AU"
    " AccurateScreens AcroForm Action Activation ActualText AddRevInfo AdditionalStreams Alt"
    " Alternate AlternateImages AlternatePresentations Alternates Angle Animation AnnotStates"
    " Annotation Annotations Annots AntiAlias App AppearanceFilter ArtBox Ascent Aspect Asset"
    " Assets Attestation AuthCode AuthEvent Author AvgWidth B BBox BC BE BG BG2 BM BS BU"
    " Background BackgroundColor Base BaseEncoding BaseFont BaseState BaseVersion BaselineShift"
    " Binding BindingMaterial BitsPerComponent BitsPerCoordinate BitsPerFlag BitsPerSample Bl"
    " BlackIs1 BlackPoint BleedBox BlockAlign Border BorderColor BorderStyle BorderThickness"
    " Bounds BoxColorInfo ByteRange C C0 C1 C2W CA CF CFM CI CIDSet CIDSystemInfo CIDToGIDMap"
    " CIP4_Accounting CIP4_AdditionalNames CIP4_Address CIP4_AddressLines CIP4_AddressUsage"
    " CIP4_Administrator CIP4_AssemblingIntent CIP4_AssemblyItem CIP4_Author CIP4_BackCoating"
    " CIP4_BindIn CIP4_BindingIntent CIP4_BindingSide CIP4_BindingType CIP4_BlowIn"
    " CIP4_ChannelType CIP4_ChannelUsage CIP4_Child CIP4_City CIP4_CivicNumber CIP4_Coating"
    " CIP4_Coatings CIP4_ColorIntent CIP4_ComChannel CIP4_Company CIP4_Conformance CIP4_Contact"
    " CIP4_ContactTypes CIP4_Container CIP4_CopyCount CIP4_Country CIP4_CountryCode CIP4_Creator"
    " CIP4_DescriptiveName CIP4_ExternalID CIP4_FamilyName CIP4_FinishedDimensions"
    " CIP4_FirstName CIP4_FoldCatalog CIP4_FoldingIntent CIP4_FullName CIP4_HoleMakingIntent"
    " CIP4_HolePattern CIP4_HoleReferenceEdge CIP4_ISOPaperSubstrate CIP4_Intent"
    " CIP4_IntentSummary CIP4_JobID CIP4_JobTitle CIP4_LABColorValue CIP4_LayoutIntent"
    " CIP4_Locator CIP4_MediaColor CIP4_MediaColorDetails CIP4_MediaIntent CIP4_MediaQuality"
    " CIP4_MediaTypeDetails CIP4_Metadata CIP4_ModificationDate CIP4_NamePrefix CIP4_NameSuffix"
    " CIP4_OrganizationName CIP4_OrganizationalUnit CIP4_Orientation CIP4_Pattern CIP4_Person"
    " CIP4_PostBox CIP4_PostalCode CIP4_PrintPreference CIP4_PrintProcess CIP4_ProductType"
    " CIP4_Production CIP4_ProductionIntent CIP4_ProjectID CIP4_Recipient CIP4_Region"
    " CIP4_Resource CIP4_Root CIP4_SaddleStitching CIP4_Sender CIP4_SideStitching CIP4_Sides"
    " CIP4_SpreadType CIP4_StickOn CIP4_StitchNumber CIP4_Street CIP4_StreetName CIP4_Weight CL"
    " CMD CMapName CO CP CRL CRLs CS CT CV CYX Cap CapHeight Caption CardBackground CardBorder"
    " Category CenterWindow Cert Certs Changes CharProcs CharSet CheckSum Checked Child ClassMap"
    " ColSpan Collection Color ColorSpace ColorTransform ColorType ColorantTable Colorants"
    " Colors ColumnCount ColumnGap ColumnWidths Columns Comments Components Condition Configs"
    " Configuration Configurations ContactInfo Contents ContinuedFrom ContinuedList Coords Count"
    " CreationDate Creator CreatorInfo CropBox CropFixed CropRect CuePoints D D1 D2 DA DC DCS"
    " DIS DL DOS DP DPM DPart DPartRoot DPartRootNode DParts DR DS DSS DSm DSn DU DV DW DW2"
    " DamagedRowsBeforeError Data Date Deactivation Decode DecodeParms DefEmbeddedFile Default"
    " DefaultCMYK DefaultCryptFilter DefaultForPrinting DefaultGray DefaultRGB Desc"
    " DescendantFonts Descent Dest DestOutputProfile DestOutputProfileRef Dests DevDepGS_BG"
    " DevDepGS_FL DevDepGS_HT DevDepGS_OP DevDepGS_TR DevDepGS_UCR DeviceColorant Di Differences"
    " DigSig DigestLocation DigestMethod DigestValue Direction DisplayDocTitle Dm DocChecksum"
    " DocMDP Document Domain DotGain Dp Duplex Dur Duration E EA ECC EF EFF EL EP EPSG"
    " EarlyChange EmbeddedFiles Encode EncodedByteAlign Encoding Encrypt EncryptMetadata End"
    " EndIndent EndOfBlock EndOfLine Enforce Event ExData Export ExportState ExtGState Extend"
    " Extends ExtensionLevel ExtensionRevision Extensions ExternalOPIdicts ExternalRefXobjects"
    " ExternalStreams F FB FC FD FDecodeParms FFilter FL FOV FS FT FWPosition FWScale Ff Fields"
    " Filter First FirstChar FitWindow FixedPrint Flags FlashVars Fo Folders Font FontBBox ",
    " FontDescriptor FontFamily FontFauxing FontFile FontFile2 FontFile3 FontMatrix FontName"
    " FontStretch FontWeight Form FormType Free Frequency Function FunctionType Functions G GCS"
    " GEO GPTS GTS_Encapsulated GTS_Env GTS_Managed GTS_Metadata GTS_PDFEVersion"
    " GTS_PDFVTModDate GTS_PDFVTVersion GTS_PDFXConformance GTS_PDFXVersion"
    " GTS_ProcStepsColorants GTS_ProcStepsGroup GTS_ProcStepsType GTS_Scope GTS_Suspect GTS_XID"
    " GTSm Gamma GlyphOrientationVertical GoToRemoteActions GrayMap Group H HAlign HI HOffset HT"
    " HTO HTP HalftoneName HalftoneType Headers Height Height2 Hid HideAnnotationActions"
    " HideMenubar HideToolbar HideWindowUI I IC ICCVersion ID IDS IDTree IF IN IRT ISO_ IT IV IX"
    " Icon Identity Image ImageMask ImageType IncludedImageDimensions IncludedImageQuality Index"
    " Info InitialFields InkList Inks InlineAlign Instance Instances Intent Interpolate IsMap"
    " Issuer ItalicAngle JBIG2Globals JS JavaScript JavaScriptActions K KDFSalt KeyUsage"
    " Keywords Kids L LC LE LI LJ LL LLE LLO LPTS LS LW Lang Language Last LastChar LastModified"
    " LaunchActions Layout Leading Legal LegalAttestation Length Length1 Length2 Length3 Level1"
    " Limits LineHeight Linearized ListMode ListNumbering LoadType Locale Location Lock"
    " LockDocument Locked M M3DREF MA MAC MACLocation MCID MD5 MDP MH MK ML MN MS MU Mac"
    " Mail_MediaTypeParameters MainImage MarkInfo MarkStyle Marked Mask Matrix Matte Max MaxLen"
    " MaxWidth Measure MediaBox Metadata Min MissingWidth Mix MixingHints ModDate Mode Movie"
    " MovieActions Msg N N1 N2 NA NM NP NR NS NU Name Names Namespaces NavigationPane Navigator"
    " NeedAppearances NeedsRendering NewWindow Next NodeNameList NonEFontNoWarn NonEmbeddedFonts"
    " NonFullScreenPageMode NoteType NumCopies Nums O OB OC OCGs OCProperties OCSP OCSPs OE OFF"
    " OID ON OP OPI OPM OS Obj Off Offset OnInstantiate Open OpenAction Operation Opt"
    " OptionalContent Order Ordering Outlines OutputCondition OutputConditionIdentifier"
    " OutputIntents OverlayText Overprint P PA PC PCM PCSM PDU PI PID PL PMD PO PS PV PZ Padding"
    " Page PageElement PageLabels PageLayout PageMode Pages PaintType Panose Params Parent"
    " ParentTree ParentTreeNextKey PassContextClick Path Pattern PatternType Penalty Perms Pg"
    " Phoneme PhoneticAlphabet PickTrayByPDFSize PieceInfo Placement PlayCount Popup Position"
    " Poster PreRelease Predictor Preferred PresSteps Presentation PreserveRB Prev Preview"
    " PrimaryText Print PrintArea PrintClip PrintPageRange PrintScaling PrintState PrintingOrder"
    " Private ProcSet Process Producer ProfileCS ProfileName PronunciationLexicon Prop_AuthTime"
    " Prop_AuthType Prop_Build Properties PtData PubSec Q QuadPoints R RBGroups RC RD REx RF RH"
    " RI RM RO RT RV Radius Range Rate Reason Reasons Recipients RecordLevel Rect Ref Reference"
    " Registry RegistryName Renditions Repeat Requirements ResFork Resolution Resources"
    " RichMediaContent RichMediaSettings Role RoleMap RoleMapNS Root Rotate RowSpan Rows"
    " RubyAlign RubyPosition S SA SC SD SE SI SM SMask SMaskInData SP SS ST SV SW SWF Scene"
    " Schema Scope Script Scripts SecondaryText SeparationColorNames SeparationInfo Settings"
    " Shading ShadingType Short ShowControls SigFlags SigObjRef SigQ Signature"
    " SignaturePolicyCommitmentType SignaturePolicyHashAlgorithm SignaturePolicyHashValue"
    " SignaturePolicyOID Size Snapshot Solidities Sort Sound SoundActions SpaceAfter SpaceBefore"
    " SpectralData Speed SpiderInfo Split SpotFunction St Start StartIndent StartResource State"
    " StateModel StdCF StemH StemV Stm StmF StmOwn StrF Strings StructParent StructParents"
    " StructTreeRoot Style SubFilter SubType Subj Subject SubjectDN Subtype Subtype2 Summary"
    " Supplement Suspects Sy Symbology Synchronous T TA TB TBorderStyle TF TI TID TK TM TP"
    " TPadding TR TR2 TRL TS TSm TSn TT TU TX TY TZ Tabs Tags TemplateInstantiated Templates"
    " TextAlign TextDecorationColor TextDecorationThickness TextDecorationType TextIndent ",
    " TextPosition Threads Thumb TilingType Time TimeStamp Tint Title ToUnicode Toolbar Trans"
    " TransferFunction TransformMethod TransformParams Transparency Transparent TrapRegions"
    " TrapStyles Trapped TrimBox TrueTypeFonts TrustedMode Type U U3DPath UC UCR UCR2 UE UF UR3"
    " URI URIActions URL URLS URLType URLs USm USn UT UU Unix Usage UseBlackPtComp UseCMap User"
    " UserProperties UserUnit V VA VAlign VE VOffset VP VRI Version Vertices VerticesPerRow View"
    " ViewArea ViewClip ViewState ViewerPreferences Views Volume W W2 WKT WMode WP WS WhitePoint"
    " Width Width2 Widths Win Window WritingMode X XFA XFAResources XHeight XN XObject XPTS"
    " XRefStm XStep XSymWidth XUID Xsquare Y YStep YSymHeight Ysquare Z Zoom ca checked max min"
    " nCodeWordCol nCodeWordRow op ",
};

/* Names that are values, besides those above. */
static const char *const values[] = {
    " 3D AD3 ADBE_Extn3 AESV2 AESV3 AESV4 ALT ALaw ANF ARIA-1.1 Absolute Accounting"
    " AcroFormInteract Add Add-RKSJ-H Add-RKSJ-V AdhesiveNote Adobe.PPKLite Adobe.PubSec After"
    " Agency All AllOff AllOn AllPages Alpha Alternative And AnyOff AnyOn AppDefault Approved"
    " Approver Aqua Aqueous ArtDelivery ArtReturn Artwork AsIs AttachedToSig Attachment"
    " AttachmentEditing Auto B5pc-H B5pc-V BackCover Balanced Barcode BarcodePlaintext BatesN"
    " Bead Before Black Bleed Blinds Block Blue Body Book BookBlock BookCase Booklet Both"
    " BoundingBox Box Braille Brochure Browser BtLr BtRl Btn Business BusinessCard Butt C2PA"
    " C2PA_Manifest CAD CICI.SignIt CIDFontType0 CIDFontType0C CIDFontType2 CNS-EUC-H CNS-EUC-V"
    " CSS-1 CSS-2 CSS-3 CalCMYK Caret Catalog Center Ch ChannelBinding Circle ClosedArrow Cloud"
    " Coated CodingMarking CoilBinding ColdFoilStamping CollectionColors CollectionEditing"
    " CollectionField CollectionItem CollectionSchema CollectionSort CollectionSplit"
    " CollectionSubitem ColorBar ColorBurn ColorDodge Column Comment Compatible CompressedSize"
    " Condensed Confidential ContentArea Copy CornerStitch CosineDot CostEffective Cover"
    " CoverLetter Creasing Create Cross Crypt CryptFilter CryptFilterDecodeParms Cube CuePoint"
    " Customer Cutting CuttingCreasing Cyan DAnimationStyle DBG DCrossSection DEG"
    " DLightingScheme DM DMarkup DMeasure DNode DPartInteract DRef DRenderMode DView Darken"
    " Dashed DataMatrix Day DayTime Debossing Decimal Delete Delivery DeliveryCharge"
    " Departmental Description Design Designer DeveloperExtensions DeviceCMY DeviceRGBK Diamond"
    " Difference DigSigMDP DigSigValidation Dimensions Disc Dissolve Distribute DocOpen"
    " DocTimeStamp Dotted Double DoubleDot Draft Drilling DuplexFlipLongEdge DuplexFlipShortEdge"
    " DyeSublimation EFOpen ETSI.CAdES.detached ETSI.RFC3161 ETSI_PAdES ETen-B5-H ETen-B5-V"
    " ETenms-B5-H ETenms-B5-V EUC-H EUC-V EdgeGluing Editor ElectroInk Electrophotography"
    " Ellipse EllipseA EllipseB EllipseC Email Embedded EmbeddedFile Embossing EnableJavaScripts"
    " EncryptedPayload Encryption Entrust.PPKEF Envelope Exclude Exclusion Expanded Experimental"
    " Expired Ext-RKSJ-H Ext-RKSJ-V ExtraCondensed ExtraExpanded FG FWParams Fade False Far"
    " Fastest Fax FieldMDP File FileAttachment Filespec FillIn FilmStrip Final Fingerprint"
    " FirstPage Fit FitB FitBH FitBV FitH FitR FitV Flash Flexography Flip0 Flip180 Flip270"
    " Flip90 Fly FoilStamping Folder Folding Footnote ForComment ForPublicRelease Foreground"
    " FormData FreeForm FreeText FreeTextCallout FreeTextTypeWriter FrontCover Fuchsia FullSave"
    " FullScreen GB-EUC-H GB-EUC-V GBK-EUC-H GBK-EUC-V GBK2K-H GBK2K-V GBKp-EUC-H GBKp-EUC-V"
    " GBpc-EUC-H GBpc-EUC-V GEOGCS GRD GTS_PDFA GTS_PDFA1 GTS_PDFE GTS_PDFX Geospatial2D"
    " Geospatial3D Glitter Global Gloss Gluing GoTo GoTo3DView GoToDp GoToE GoToR Graph Gray"
    " Green Groove HA HF HKscs-B5-H HKscs-B5-V HTML-3.20 HTML-4.01 HTML-5.00 Halftone Hard"
    " HardCover HardLight Headlamp Help Hidden HiddenWireframe Hide HighestQuality Highlight"
    " Hologram Hue ISO_PDFE1 ISO_TS_24064 ISO_TS_32001 ISO_TS_32003 Illustration Illustrator"
    " ImageB ImageC ImageI Import ImportData Imprinting Include Ind Ink InkFree InkJet"
    " InkVarnishFree Inline Insert Inset InvertedDouble InvertedDoubleDot InvertedEllipseA"
    " InvertedEllipseC InvertedSimpleDot JBIG2 JBIG2Decode JPX JPXDecode Jacket Justify KM"
    " KSC-EUC-H KSC-EUC-V KSCms-UHC-H KSCms-UHC-HW-H KSCms-UHC-HW-V KSCms-UHC-V KSCpc-EUC-H Key"
    " L2R LAT LD3 LON Label LastPage Latex Launch Legend Letter Lighten Lime Line LineArrow"
    " LineDimension LineThrough LineX LineY Linear List LooseBinding LowerAlpha LowerRoman LrBt"
    " LrTb Luminosity MCD MCS MI MMType1 MR MacExpertEncoding MacRomanEncoding Magenta Map"
    " Markup Markup3D MarkupGeo Maroon Material MediaClip MediaCriteria MediaDuration"
    " MediaOffset MediaPermissions MediaPlayParams MediaPlayerInfo MediaPlayers"
    " MediaScreenParams Middle MinBitDepth ",
    " MinScreenSize Mobile Modify Module Multimedia Multiply NChannel NOP NSO Named Namespace"
    " NavNode Navigation Navy Near NewParagraph Newspaper NextPage Night NightTime NoMark NoOp"
    " None Normal Not NotApproved NotForPublicRelease Notebook NumberFormat OCAutoStates"
    " OCInteract OEB-1.00 ObjStm OffsetLithography Olive Once OneColumn OneSided OneSidedBack"
    " Online OpenArrow OpenType Or Ordered Org Oscillating OutputIntent Outset Overlay Overline"
    " OverstepArea Owner PD3 PDF PDF417 PDFDocEncoding PIN PRC PROJCS PS1 PS2 PS3 PS4 PS5 PS6"
    " PS7 PS8 PageLabel Palindrome PaperMetaData Paperclip Paragraph PartialCutting"
    " PartialCuttingCreasing Password Pause Perforating Phone Photographer PlasticComb"
    " PlateMaking PlateStamping Play PolyLine PolyLineDimension Polygon PolygonCloud"
    " PolygonDimension Positions Postcard PrevPage Primary Primer PrintField PrinterMark"
    " Projection Punching Purple Push PushPin QRCode R2L RClosedArrow RD3 RDFa-1.10 RIPEMD160"
    " ROpenArrow RTF-1.05 Raw Recipient Record Red Redact RegistrationTarget Rendition"
    " ReqHandler Requirement ResetForm Residence ResponseCard Resume ReverseCreasing"
    " ReverseCuttingCreasing ReversePartialCutting ReversePartialCuttingCreasing Rhomboid"
    " RichMedia RichMediaActivation RichMediaAnimation RichMediaCommand RichMediaConfiguration"
    " RichMediaDeactivation RichMediaExecute RichMediaInstance RichMediaParams RichMediaPosition"
    " RichMediaPresentation RichMediaWindow Ridge RingBinding RlBt RlTb Rotate0 Rotate180"
    " Rotate270 Rotate90 Rotogravure Round Row RubResistant SHA1 SHA256 SHA3-256 SHA3-384"
    " SHA3-512 SHA384 SHA512 SHAKE256 SIS SPS SQFT SQKM SQM SQMI SR STEP SVCert SaddleStitch"
    " Satin Screen ScreenPrinting Section SelfMailer SemiCondensed SemiExpanded SenderAlias"
    " SeparationSimulation SetOCGState SetState ShadedIllustration ShadedVertices"
    " ShadedWireframe Shadow SideStitch Sig SigFieldLock SigRef Signed Silver SimpleDot Simplex"
    " SinglePage SingleUse Slash SlideShow SoftCover SoftLight SoftwareIdentifier Sold Solid"
    " SolidOutline SolidWireframe Source SpawnTemplate SpiderContentSet Spine Spread Square"
    " Squiggly Stamp StampImage StampSnapshot Standalone Standard StandardEncoding Stapling"
    " StationInfo Stop Stream StrikeOut StripBind StructElem Structural SubmitForm"
    " SubmitStandalone SummaryView Sup SurplusReturn SymbolEncoding Tag Tape TbLr TbRl Teal"
    " Technical Template Text Thermal Thread Timespan Toggle TopSecret Transitions"
    " TransparentBoundingBox TransparentBoundingBoxOutline TransparentWireframe TrapNet Tree"
    " True TrueType Ttl TwoColumnLeft TwoColumnRight TwoPageLeft TwoPageRight TwoSidedHeadToFoot"
    " TwoSidedHeadToHead Type0 Type1 Type1C Type3 U3D UR USFT UV UltraCondensed UltraExpanded"
    " Unchanged Uncover Underline UniCNS-UCS2-H UniCNS-UCS2-V UniCNS-UTF16-H UniCNS-UTF16-V"
    " UniGB-UCS2-H UniGB-UCS2-V UniGB-UTF16-H UniGB-UTF16-V UniJIS-UCS2-H UniJIS-UCS2-HW-H"
    " UniJIS-UCS2-HW-V UniJIS-UCS2-V UniJIS-UTF16-H UniJIS-UTF16-V UniKS-UCS2-H UniKS-UCS2-V"
    " UniKS-UTF16-H UniKS-UTF16-V Unknown Unmarked Unordered Unspecified UpperAlpha UpperRoman"
    " UseAttachments UseNone UseOC UseOutlines UseThumbs V2 Varnish VarnishFree VeriSign.PPKVS"
    " Video Viewport VisiblePages WTPDF WWW WaterResistant Weekend White Widget WinAnsiEncoding"
    " Windowed Wipe WireComb Wireframe WrapAroundCover XA XD XML XML-1.00 XNF XRef XYZ Yellow a"
    " adbe.pkcs7.detached adbe.pkcs7.s3 adbe.pkcs7.s4 adbe.pkcs7.s5 adbe.pkcs7.sha1"
    " adbe.x509.rsa_sha1 auto cb false full_color glTF lb monochrome ms-RKSJ-H ms-RKSJ-V"
    " msp-RKSJ-H msp-RKSJ-V muLaw neutral off on pb pv-RKSJ-H r rb registration true tv ",
};

static bool is_among(const char *list, const char *name, size_t n)
{
    char text[LONGEST + 3];

    if (n == 0 || n > LONGEST || memchr(name, 0, n) || memchr(name, ' ', n))
        return false;
    text[0] = ' ';
    memcpy(text + 1, name, n);
    memcpy(text + 1 + n, " ", 2);
    return strstr(list, text) != NULL;
}

bool redact_known_name(const char *name, size_t n)
{
    return is_among(names, name, n);
}

bool redact_known_key(const char *name, size_t n)
{
    for (size_t i = 0; i < COUNT(keys); i++)
        if (is_among(keys[i], name, n))
            return true;
    return false;
}

bool redact_known_value(const char *name, size_t n)
{
    for (size_t i = 0; i < COUNT(values); i++)
        if (is_among(values[i], name, n))
            return true;
    return redact_known_name(name, n) || redact_known_key(name, n);
}
