(** * Bitboards and boards

    What the checker works out on bitboards is what Game.v says of lists of squares: the playable
    squares, those that complete a line, and mirror images. *)
From Coq Require Import ZArith List Uint63 Lia Bool.
From ConnectFour Require Import Game Check Bits.
Import ListNotations.
Local Open Scope Z_scope.

Section Board.
Variables width height : Z.
Hypothesis narrow : width <= 7.
Hypothesis low : height <= 6.
Notation playable := (playable width height).
Notation on_board c r := (1 <= c <= width /\ 1 <= r <= height).

(** The bits of [p] are the squares in [l], all of them on the board. *)
Definition shows (p : int) (l : list square) : Prop :=
  (forall c r, In (c, r) l -> on_board c r /\ bit p (7 * c + r - 8) = true) /\
  (forall k, bit p k = true -> exists c r, In (c, r) l /\ k = 7 * c + r - 8).

(** A square just above or below the board has a bit of its own, which is never set. *)
Lemma shows_iff p l c r : shows p l -> 0 <= r <= 7 ->
  bit p (7 * c + r - 8) = true <-> In (c, r) l.
Proof.
  intros [A B] R. split; [|apply A]. intro P. destruct (B _ P) as (x & y & I & E).
  destruct (A _ _ I). now assert (c = x /\ r = y) as [-> ->] by lia.
Qed.

Lemma shows_none : shows 0%uint63 [].
Proof. split; [intros ? ? []|]. intro k. now rewrite zero_true. Qed.

Lemma shows_put p l b c r : shows p l -> on_board c r -> to_Z b = 7 * c + r - 8 ->
  shows (put p b) ((c, r) :: l).
Proof.
  intros [A B] On E. split.
  - intros x y [[= <- <-]|I]; rewrite bit_put, E; [lia|]. destruct (A _ _ I). auto.
  - intros k K. apply bit_put in K as [K|[K _]]; [|exists c, r; split; [now left|lia]].
    destruct (B _ K) as (x & y & ? & ?). exists x, y. simpl. auto.
Qed.

Lemma shows_both p q l m : shows p l -> shows q m -> shows (p lor q)%uint63 (l ++ m).
Proof.
  intros [A B] [C D]. split.
  - intros c r I. rewrite bit_lor, orb_true_iff. apply in_app_or in I as [I|I].
    + destruct (A _ _ I). auto.
    + destruct (C _ _ I). auto.
  - intros k. rewrite bit_lor, orb_true_iff. intros [K|K].
    + destruct (B _ K) as (c & r & ? & ?). exists c, r. auto using in_or_app.
    + destruct (D _ K) as (c & r & ? & ?). exists c, r. auto using in_or_app.
Qed.

Lemma in_squares c r : In (c, r) (squares width height) <-> on_board c r.
Proof. unfold squares. now rewrite in_prod_iff, !in_range. Qed.

Lemma shows_board : shows (board width height) (squares width height).
Proof.
  unfold board. assert (A : forall c r, In (c, r) (squares width height) -> on_board c r)
    by (intros; now apply in_squares).
  induction (squares width height) as [|[c r] l IH]; [apply shows_none|].
  pose proof (A c r (or_introl eq_refl)). simpl fold_right.
  apply shows_put; [|assumption|].
  - apply IH. intros. apply A. now right.
  - apply of_to_small. unfold place. lia.
Qed.

(** ** Playable squares

    The bits of the bottom row, and those one above a disc, without those of the discs. *)
Notation all := (board width height).

Lemma bit_bottom c r : 1 <= c <= 7 -> 1 <= r <= 6 ->
  bit 0x40810204081 (7 * c + r - 8) = (r =? 1).
Proof.
  intros C R. assert (T : forallb (fun k =>
    Bool.eqb (bit 0x40810204081 (k - 1)) (k mod 7 =? 1)) (range 49) = true) by reflexivity.
  pose proof (all_tried _ _ T (7 * c + r - 7)) as E. apply eqb_prop in E; [|lia].
  replace (7 * c + r - 8) with (7 * c + r - 7 - 1) by lia. rewrite E.
  apply eq_true_iff_eq. rewrite !Z.eqb_eq. Z.to_euclidean_division_equations. lia.
Qed.

Lemma bit_playables p q mine yours k : shows p mine -> shows q yours ->
  bit (playables all p q) k = true <-> exists c r, k = 7 * c + r - 8 /\ playable mine yours (c, r).
Proof.
  intros P Q. pose proof (shows_both _ _ _ _ P Q) as O. pose proof shows_board as S.
  assert (Iff : forall c r, on_board c r ->
    bit (playables all p q) (7 * c + r - 8) = true <-> playable mine yours (c, r)).
  { intros c r On. unfold playables, Game.playable. cbv zeta.
    rewrite bit_land, bit_lor, bit_lsl, bit_lxor, andb_true_iff, orb_true_iff by lia.
    change (to_Z 1) with 1. replace (7 * c + r - 8 - 1) with (7 * c + (r - 1) - 8) by lia.
    rewrite (shows_iff _ _ c (r - 1) O), bit_bottom, Z.eqb_eq by lia.
    assert (A : bit all (7 * c + r - 8) = true) by (apply S, in_squares; assumption).
    rewrite A. rewrite <- (shows_iff _ _ c r O) by lia.
    destruct (bit (p lor q)%uint63 (7 * c + r - 8)); simpl; intuition discriminate. }
  split.
  - intro K. assert (A : bit all k = true).
    { unfold playables in K. cbv zeta in K. rewrite bit_land, bit_lxor in K.
      destruct (bit all k) eqn:A; [reflexivity|]. exfalso.
      destruct (bit (p lor q)%uint63 k) eqn:B; [|now rewrite andb_false_r in K].
      apply O in B as (c & r & I & ->). apply O in I as [I _]. apply in_squares, S in I as [_ I].
      congruence. }
    apply S in A as (c & r & I & ->). apply in_squares in I. exists c, r. split; [reflexivity|].
    now apply Iff.
  - intros (c & r & -> & U). apply Iff; [|assumption]. destruct U as (? & ? & _). auto.
Qed.

(** ** Lines

    A direction is a distance between bits: up 1, down to the right 6, right 7, up to the right
    8. *)
Definition directions := [(1, 0); (0, 1); (1, 1); (1, -1)].

Ltac by_direction D := destruct D as [[= <- <-]|[[= <- <-]|[[= <- <-]|[[= <- <-]|[]]]]].
Ltac up_to_three i :=
  assert (i = 0 \/ i = 1 \/ i = 2 \/ i = 3) as [-> | [-> | [-> | ->]]] by lia.

Lemma four_iff l : four l <-> exists c r dc dr, In (dc, dr) directions /\
  forall i, 0 <= i <= 3 -> In (c + i * dc, r + i * dr) l.
Proof.
  split; intros (c & r & dc & dr & D & F); exists c, r, dc, dr.
  - split; [exact D|]. intros i I. destruct F as (A0 & A1 & A2 & A3).
    up_to_three i;
      rewrite ?Z.add_0_r, ?Z.mul_1_l; assumption.
  - pose proof (F 0). pose proof (F 1). rewrite !Z.mul_1_l, !Z.mul_0_l, !Z.add_0_r in *.
    repeat split; [exact D| | | |]; auto with zarith.
Qed.

(** Of four bits in a row, [k] being the one with number [i], the other three. *)
Definition three (p : int) (k d i : Z) : Prop :=
  forall j, 0 <= j <= 3 -> j <> i -> bit p (k + (j - i) * d) = true.

Lemma bit_completing_by n p k d : to_Z n = d -> 1 <= d <= 8 -> 0 <= k < 63 ->
  bit (completing_by n p) k = true <-> exists i, 0 <= i <= 3 /\ three p k d i.
Proof.
  intros N D K. unfold completing_by. cbv zeta.
  assert (N2 : to_Z (n + n) = 2 * d).
  { rewrite add_spec, N. rewrite Z.mod_small; [lia|]. change wB with (2 ^ 63). lia. }
  repeat (rewrite ?bit_lor, ?bit_land; rewrite ?bit_lsl, ?bit_lsr by lia; rewrite ?N, ?N2).
  rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff. split.
  - assert (Three : forall i, 0 <= i <= 3 -> three p k d i ->
      exists i, 0 <= i <= 3 /\ three p k d i) by eauto.
    intros [[[A B] [C|C]]|[[A B] [C|C]]];
      [apply (Three 2)|apply (Three 3)|apply (Three 1)|apply (Three 0)]; try lia;
      intros j J N';
      up_to_three j; try lia;
      match goal with |- bit p ?x = true => match goal with H : bit p ?y = true |- _ =>
        replace x with y by lia; exact H end end.
  - intros (i & I & T). unfold three in T.
    assert (B : forall j x, 0 <= j <= 3 -> j <> i -> x = k + (j - i) * d -> bit p x = true)
      by (intros j x ? ? ->; auto).
    up_to_three i.
    + right. split; [split|right]; [apply (B 1)|apply (B 2)|apply (B 3)]; lia.
    + right. split; [split|left]; [apply (B 2)|apply (B 3)|apply (B 0)]; lia.
    + left. split; [split|left]; [apply (B 1)|apply (B 0)|apply (B 3)]; lia.
    + left. split; [split|right]; [apply (B 2)|apply (B 1)|apply (B 0)]; lia.
Qed.

Lemma bit_completing p k : 0 <= k < 63 -> bit (completing p) k = true <->
  exists dc dr i, In (dc, dr) directions /\ 0 <= i <= 3 /\ three p k (7 * dc + dr) i.
Proof.
  intro K. unfold completing. rewrite !bit_lor, !orb_true_iff.
  rewrite (bit_completing_by 1 p k 1), (bit_completing_by 6 p k 6), (bit_completing_by 7 p k 7),
    (bit_completing_by 8 p k 8) by (reflexivity || lia).
  split.
  - intros [(i & T)|[(i & T)|[(i & T)|(i & T)]]];
      [exists 0, 1, i|exists 1, (-1), i|exists 1, 0, i|exists 1, 1, i];
      (split; [simpl; auto|exact T]).
  - intros (dc & dr & i & D & T). by_direction D; simpl in T; eauto 6.
Qed.

(** Four bits at equal distances are squares in line: columns of seven bits keep lines apart. *)
Lemma in_line l k dc dr : In (dc, dr) directions ->
  (forall i, 0 <= i <= 3 -> exists c r,
    In (c, r) l /\ on_board c r /\ k + i * (7 * dc + dr) = 7 * c + r - 8) -> four l.
Proof.
  intros D A.
  destruct (A 0) as (c & r & I0 & On0 & E0), (A 1) as (c1 & r1 & I1 & On1 & E1),
    (A 2) as (c2 & r2 & I2 & On2 & E2), (A 3) as (c3 & r3 & I3 & On3 & E3); try lia.
  exists c, r, dc, dr. split; [exact D|].
  assert (Dr : -1 <= dr <= 1)
    by (by_direction D; lia).
  assert (c1 = c + dc /\ r1 = r + dr) as [-> ->] by lia.
  assert (c2 = c + 2 * dc /\ r2 = r + 2 * dr) as [-> ->] by lia.
  assert (c3 = c + 3 * dc /\ r3 = r + 3 * dr) as [-> ->] by lia. auto.
Qed.

(** The squares that the checker calls completing do complete a line, ... *)
Lemma completes_four p l c r : shows p l -> on_board c r ->
  bit (completing p) (7 * c + r - 8) = true -> four ((c, r) :: l).
Proof.
  intros [A B] On K. apply bit_completing in K as (dc & dr & i & D & I & T); [|lia].
  apply (in_line _ (7 * c + r - 8 - i * (7 * dc + dr)) dc dr D). intros j J.
  replace (_ + _) with (7 * c + r - 8 + (j - i) * (7 * dc + dr)) by ring.
  destruct (Z.eq_dec j i) as [->|N].
  - exists c, r. simpl. rewrite Z.sub_diag. auto with zarith.
  - destruct (B _ (T j J N)) as (x & y & X & ->). exists x, y. simpl. apply A in X as X'. intuition.
Qed.

(** ... and no other square does. *)
Lemma four_completes p l c r : shows p l -> on_board c r -> ~ four l -> four ((c, r) :: l) ->
  bit (completing p) (7 * c + r - 8) = true.
Proof.
  intros [A B] On N F. apply four_iff in F as (x & y & dc & dr & D & F).
  assert (I : exists i, 0 <= i <= 3 /\ c = x + i * dc /\ r = y + i * dr).
  { assert (G : forall i, 0 <= i <= 3 ->
      (c = x + i * dc /\ r = y + i * dr) \/ In (x + i * dc, y + i * dr) l)
      by (intros i I; destruct (F i I) as [[= ? ?]|?]; auto).
    destruct (G 0) as [?|G0]; [lia|exists 0; lia|]. destruct (G 1) as [?|G1]; [lia|exists 1; lia|].
    destruct (G 2) as [?|G2]; [lia|exists 2; lia|]. destruct (G 3) as [?|G3]; [lia|exists 3; lia|].
    elim N. apply four_iff. exists x, y, dc, dr. split; [exact D|]. intros j J.
    up_to_three j; assumption. }
  destruct I as (i & I & -> & ->). apply bit_completing; [lia|]. exists dc, dr, i.
  split; [exact D|]. split; [exact I|]. intros j J Ne.
  replace (_ + _) with (7 * (x + j * dc) + (y + j * dr) - 8) by ring. apply A.
  destruct (F j J) as [[= E E']|G]; [|exact G]. exfalso.
  by_direction D; lia.
Qed.

(** Lists without a disc on my squares, other than those that you have, have no four in line. *)
Lemma held_no_four p q mine yours l : shows p mine -> shows q yours -> held all p q = true ->
  (forall c r, In (c, r) l -> on_board c r /\ (~ In (c, r) mine \/ In (c, r) yours)) -> ~ four l.
Proof.
  intros P Q H Out F. apply four_iff in F as (c & r & dc & dr & D & F).
  assert (B : forall i, 0 <= i <= 3 ->
    bit ((all lxor p) lor q)%uint63 (7 * (c + i * dc) + (r + i * dr) - 8) = true).
  { intros i I. destruct (Out _ _ (F i I)) as [On N]. pose proof On as R.
    apply in_squares, (proj1 shows_board) in On as [_ A]. rewrite bit_lor, bit_lxor, A.
    rewrite <- (shows_iff _ _ _ _ P), <- (shows_iff _ _ _ _ Q) in N by lia.
    destruct N as [N|N]; [now destruct (bit p _)|now rewrite N, orb_true_r]. }
  pose proof (zero_true _ (7 * c + r - 8) H) as Z. rewrite bit_land in Z.
  pose proof (B 0 ltac:(lia)) as B0. rewrite !Z.mul_0_l, !Z.add_0_r in B0.
  rewrite B0, andb_true_r in Z.
  rewrite (proj2 (bit_completing _ _ (bit_range _ _ B0))) in Z; [discriminate|].
  exists dc, dr, 0. split; [exact D|]. split; [lia|]. intros j J _.
  replace (_ + _) with (7 * (c + j * dc) + (r + j * dr) - 8) by ring. auto.
Qed.

(** ** Mirror images *)
Definition flip (s : square) : square := let (c, r) := s in (width + 1 - c, r).

Lemma flip_flip l : map flip (map flip l) = l.
Proof.
  rewrite map_map. erewrite map_ext; [apply map_id|].
  intros [c r]. unfold flip. f_equal. lia.
Qed.
Lemma in_flip c r l : In (c, r) (map flip l) <-> In (width + 1 - c, r) l.
Proof.
  assert (E : forall c r l, In (c, r) l -> In (width + 1 - c, r) (map flip l))
    by (intros x y m I; apply (in_map flip) in I; exact I).
  split; intro I; apply E in I; [now rewrite flip_flip in I|].
  now replace (width + 1 - (width + 1 - c)) with c in I by lia.
Qed.

(** Column [c] comes to lie where the one as far from the other edge was. *)
Lemma bit_mirror p k : k < 63 -> bit (mirror width p) k = true <->
  exists c, 1 <= c <= width /\ 0 <= k - 7 * (width - c) < 7 /\
    bit p (k - 7 * (width - c) + (7 * c - 7)) = true.
Proof.
  intro K. unfold mirror. assert (A : forall c, In c (range width) -> 1 <= c <= width)
    by (intro; apply in_range).
  transitivity (exists c, In c (range width) /\ 0 <= k - 7 * (width - c) < 7 /\
    bit p (k - 7 * (width - c) + (7 * c - 7)) = true).
  2: { split; intros (c & I & X); exists c; (split; [now apply in_range|exact X]). }
  induction (range width) as [|c l IH]; cbn [fold_right].
  { rewrite zero_true by reflexivity. split; [discriminate|intros (? & [] & _)]. }
  pose proof (A c (or_introl eq_refl)) as C.
  rewrite bit_lor, orb_true_iff, IH by (intros; apply A; now right). clear IH A.
  rewrite bit_lsl, bit_land, andb_true_iff, of_to_small by lia.
  assert (Low : forall j, bit 0x7f j = true <-> 0 <= j < 7).
  { intro j. split.
    - intro J. pose proof (bit_range _ _ J) as R. split; [lia|]. destruct (Z.ltb_spec j 7); [lia|].
      unfold bit in J. change (to_Z 0x7f) with (Z.ones 7) in J.
      now rewrite Z.ones_spec_high in J by lia.
    - intro J. unfold bit. change (to_Z 0x7f) with (Z.ones 7). apply Z.ones_spec_low. lia. }
  rewrite Low. split.
  - intros [(x & I & X)|[B R]]; [exists x; split; [now right|exact X]|].
    rewrite bit_lsr, of_to_small in B by lia. exists c. split; [now left|]. auto.
  - intros (x & [<-|I] & R & B); [right|left; eauto]. rewrite bit_lsr, of_to_small by lia. auto.
Qed.

Lemma shows_mirror p l : shows p l -> shows (mirror width p) (map flip l).
Proof.
  intros [A B]. split.
  - intros c r I. apply in_flip in I. apply A in I as [On K]. split; [lia|].
    apply bit_mirror; [lia|]. exists (width + 1 - c). split; [lia|]. split; [lia|].
    rewrite <- K. f_equal. lia.
  - intros k K. apply bit_mirror in K as (c & C & R & K); [|now apply bit_range in K].
    apply B in K as (x & y & I & E). apply A in I as O. exists (width + 1 - x), y.
    rewrite in_flip. replace (width + 1 - (width + 1 - x)) with x by lia. split; [exact I|lia].
Qed.

Lemma four_flip l : four l -> four (map flip l).
Proof.
  rewrite !four_iff. intros (c & r & dc & dr & D & F).
  assert (G : forall i x y, 0 <= i <= 3 -> x = width + 1 - (c + i * dc) -> y = r + i * dr ->
    In (x, y) (map flip l)).
  { intros i x y I -> ->. apply in_flip. replace (width + 1 - (width + 1 - (c + i * dc)))
      with (c + i * dc) by lia. auto. }
  by_direction D.
  - exists (width + 1 - c - 3), r, 1, 0. split; [simpl; auto|intros i I; apply (G (3 - i)); lia].
  - exists (width + 1 - c), r, 0, 1. split; [simpl; auto|intros i I; apply (G i); lia].
  - exists (width + 1 - c - 3), (r + 3), 1, (-1).
    split; [simpl; auto|intros i I; apply (G (3 - i)); lia].
  - exists (width + 1 - c - 3), (r - 3), 1, 1.
    split; [simpl; auto|intros i I; apply (G (3 - i)); lia].
Qed.

Lemma playable_flip mine yours c r :
  playable mine yours (c, r) <-> playable (map flip mine) (map flip yours) (width + 1 - c, r).
Proof.
  unfold Game.playable. rewrite <- map_app, !in_flip.
  replace (width + 1 - (width + 1 - c)) with c by lia. intuition lia.
Qed.

(** What can be reached can be reached in the mirror. *)
Lemma reaches_flip goal : forall mine yours, reaches width height goal mine yours ->
  reaches width height goal (map flip mine) (map flip yours).
Proof.
  fix IH 3. intros m y [mine yours [c r] P F|mine yours [c r] P E A|mine yours E N].
  - apply (by_a_line _ _ _ _ _ (flip (c, r)));
      [now apply playable_flip in P|now apply four_flip in F].
  - apply (by_a_move _ _ _ _ _ (flip (c, r))); [now apply playable_flip in P| |].
    + destruct E as [E|[[x z] T]]; [auto|right]. exists (flip (x, z)). now apply playable_flip in T.
    + intros s T. destruct s as [x z]. set (t := (width + 1 - x, z)).
      assert (S : (x, z) = flip t) by (unfold flip, t; f_equal; lia). rewrite S in T |- *.
      apply (playable_flip ((c, r) :: mine)) in T. destruct (A t T) as [N W].
      split; [|exact (IH _ _ W)].
      change (flip t :: map flip yours) with (map flip (t :: yours)). intro F.
      apply four_flip in F. rewrite flip_flip in F. auto.
  - apply by_a_full_board; [exact E|]. intros [x z] T. apply (N (width + 1 - x, z)).
    apply playable_flip. now replace (width + 1 - (width + 1 - x)) with x by lia.
Qed.
End Board.
